import { type Static, Type as t } from "@sinclair/typebox";
import { MAX_ROOM_ORDER, SETUP_STEPS } from "../limits.ts";
import { Id, Nullable, Timestamp, Version } from "./basics.ts";
import { CustomTheme, Theme } from "./themes.ts";

/** Accounts, as others and as their owners see them. */

/** What a notification shows: everything, whom it is from, or neither. */
export const PushPreview = t.Union([t.Literal("full"), t.Literal("sender"), t.Literal("none")]);
export const Status = t.Union([t.Literal("online"), t.Literal("offline")]);

/** A user as others see them. */
export const User = t.Object({
  id: Id,
  username: t.String(),
  display_name: Nullable(t.String()),
  avatar_url: Nullable(t.String()),
  is_bot: t.Boolean(),
  is_active: t.Boolean(),
});
export const RoomOrder = t.Union([t.Literal("name"), t.Literal("unread"), t.Literal("custom")]);

/** How someone has arranged the list of rooms, on all devices. */
export const SidebarSettings = t.Object({
  sort: t.Unsafe<Static<typeof RoomOrder>>({
    ...RoomOrder,
    description:
      "By name, what is unread first, or as in `order`; favourites are always as in `order`",
  }),
  collapsed: t.Array(
    t.String({ pattern: "^[a-z][a-z-]{0,31}$", expected: "the name of a section" }),
    { maxItems: 20, uniqueItems: true, description: "The sections that are closed" },
  ),
  order: t.Array(Id, {
    maxItems: MAX_ROOM_ORDER,
    uniqueItems: true,
    description: "Ids of rooms in the order that was chosen; the others follow by name",
  }),
});
const TimeOfDay = t.String({
  pattern: "^(?:[01][0-9]|2[0-3]):[0-5][0-9]$",
  expected: "a time such as 22:00",
});

/** When nothing is pushed or mailed, by the day of the week. */
export const QuietHours = t.Object({
  time_zone: t.String({ maxLength: 64, description: "As Europe/Berlin (IANA)" }),
  days: t.Array(Nullable(t.Object({ from: TimeOfDay, to: TimeOfDay })), {
    minItems: 7,
    maxItems: 7,
    description: "From Monday on. A period that does not end after it starts ends on the next day",
  }),
});
export const Sound = t.Union([
  t.Literal("none"),
  t.Literal("drop"),
  t.Literal("chime"),
  t.Literal("knock"),
]);

/** The team whose chat this is, as everyone sees it before the sign-in, too. */
export const Team = t.Object({
  name: t.String({ description: "Snug, until an administrator has named it" }),
  is_named: t.Boolean(),
  logo_url: Nullable(t.String()),
  is_empty: t.Boolean({ description: "There is no account yet: the start log has the first link" }),
  setup_step: t.Integer({
    minimum: 0,
    maximum: SETUP_STEPS,
    description: "How far the first administrator has come: name, picture, room, people; 4 is done",
  }),
  version: Version,
});

/** The caller's own account. */
export const Me = t.Composite([
  User,
  t.Object({
    email: Nullable(t.String({ description: "null for a bot" })),
    theme: Theme,
    follows_system: t.Boolean({
      description: "Light or dark as the device is, until a theme is chosen",
    }),
    active_custom_theme_id: Nullable(Id),
    active_custom_theme: Nullable(CustomTheme),
    appear_offline: t.Boolean(),
    email_on_added: t.Boolean({
      description: "The user gets an email when someone adds them to a room",
    }),
    email_on_missed: t.Boolean({
      description: "The user gets an email with mentions that were missed for 15 minutes",
    }),
    quiet_hours: Nullable(QuietHours),
    sound: t.Unsafe<Static<typeof Sound>>({
      ...Sound,
      description: "The sound of the web client's notifications",
    }),
    push_paused_until: Nullable(Timestamp),
    push_preview: PushPreview,
    keywords: t.Array(t.String(), {
      description: "Keywords: they notify the user as a mention does, in rooms that the user is in",
    }),
    sidebar: SidebarSettings,
    is_site_admin: t.Boolean(),
    created_at: Timestamp,
    version: Version,
  }),
]);

/** One of the caller's own sessions. */
export const Session = t.Object({
  id: Id,
  is_current: t.Boolean(),
  user_agent: Nullable(t.String()),
  method: t.Union([t.Literal("password"), t.Literal("passkey"), t.Literal("provider")], {
    description: "How it began",
  }),
  provider: Nullable(t.String({ description: "The name of the provider that it began with" })),
  address: Nullable(
    t.String({ description: "The network it was last seen from, as 203.0.113.0/24" }),
  ),
  created_at: Timestamp,
  last_seen_at: Timestamp,
});

export type Status = Static<typeof Status>;
export type PushPreview = Static<typeof PushPreview>;
export type User = Static<typeof User>;
export type SidebarSettings = Static<typeof SidebarSettings>;
export type QuietHours = Static<typeof QuietHours>;
export type Sound = Static<typeof Sound>;
export type Team = Static<typeof Team>;
export type Me = Static<typeof Me>;
export type Session = Static<typeof Session>;
