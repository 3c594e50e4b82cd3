import { type SchemaOptions, type Static, type TSchema, Type as t } from "@sinclair/typebox";
import { COLOR_PATTERN, SHA256_PATTERN, UUID_PATTERN } from "./patterns.ts";
import { MAX_ROOM_ORDER, MAX_THREAD_AUTHORS, SETUP_STEPS } from "./limits.ts";

/** Models in responses and events. All documented fields are present; empty ones are null or []. */

export const Nullable = <T extends TSchema>(schema: T) => t.Union([schema, t.Null()]);
export const oneOf = <const Word extends string>(words: readonly Word[], options?: SchemaOptions) =>
  t.Union(
    words.map((word) => t.Literal(word)),
    options,
  );
export const Id = t.String({ pattern: UUID_PATTERN, description: "UUIDv7", expected: "a UUID" });
export const Sha256 = t.String({ pattern: SHA256_PATTERN, description: "SHA-256 in hex" });
export const Timestamp = t.String({ description: "ISO 8601, UTC, ending in Z" });

/** A number in a room's log. The maximum only limits input; no room reaches it. */
export const Seq = t.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: "Counts the events of one room, without gaps",
});
export const Version = t.Integer({
  minimum: 0,
  description: "The newer of two responses has the higher version",
});

/** A page of a list: pass `next` as `?cursor=` to request the next page. */
export const Page = <T extends TSchema>(item: T) =>
  t.Object({ items: t.Array(item), next: Nullable(t.String()) });

export type Page<T> = { items: T[]; next: string | null };

export const Preset = oneOf(["dark", "light", "midnight", "sunset"]);
export const Theme = t.Union([...Preset.anyOf, t.Literal("custom")]);
const Color = t.String({ pattern: COLOR_PATTERN, expected: "a colour such as #1a2b3c" });

/** The twelve colours of a theme, from which all others are derived. */
export const Colors = t.Object({
  background: Color,
  surface: Color,
  sidebar: Color,
  border: Color,
  text: Color,
  text_muted: Color,
  accent: Color,
  accent_strong: Color,
  accent_soft: Color,
  highlight: Color,
  danger: Color,
  on_accent: Color,
});

export const CustomTheme = t.Object({
  id: Id,
  name: t.String(),
  colors: Colors,
  is_dark: t.Boolean({ description: "Whether native controls are dark" }),
  created_at: Timestamp,
});

export type Preset = Static<typeof Preset>;
export type Theme = Static<typeof Theme>;
export type Colors = Static<typeof Colors>;
export type CustomTheme = Static<typeof CustomTheme>;

/** How much a notification shows: everything, only the sender, or neither. */
export const PushPreview = oneOf(["full", "sender", "none"]);
export const Status = oneOf(["online", "offline"]);

const ProfileVersion = t.Integer({
  minimum: 0,
  description: "The newer of two copies of a user has the higher version",
});

export const User = t.Object({
  id: Id,
  username: t.String(),
  display_name: Nullable(t.String()),
  avatar_url: Nullable(t.String()),
  is_bot: t.Boolean(),
  is_active: t.Boolean(),
  profile_version: ProfileVersion,
});
const RoomOrder = oneOf(["name", "unread", "custom"]);

/** The arrangement of a user's sidebar, shared by all their devices. */
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

export const TimeZone = t.String({ maxLength: 64, description: "As Europe/Berlin (IANA)" });

/** The hours in which no notifications are pushed or mailed, by day of the week. */
export const QuietHours = t.Object({
  time_zone: TimeZone,
  days: t.Array(Nullable(t.Object({ from: TimeOfDay, to: TimeOfDay })), {
    minItems: 7,
    maxItems: 7,
    description: "From Monday on. A period that does not end after it starts ends on the next day",
  }),
});
export const Sound = oneOf(["none", "drop", "chime", "knock"]);

/** The team's public data, available without signing in. */
export const Team = t.Object({
  name: t.String({ description: "Snug, until an administrator has named it" }),
  is_named: t.Boolean(),
  logo_url: Nullable(t.String()),
  is_empty: t.Boolean({ description: "There is no account yet: the start log has the first link" }),
  setup_step: t.Integer({
    minimum: 0,
    maximum: SETUP_STEPS,
    description:
      "How far the first administrator has come: name, picture, room, people; 4 is done, as it is once there is a second account or a message",
  }),
  version: Version,
});

/** A user, with what others see of them beside their name and picture. */
export const Person = t.Object({
  user: User,
  status: Status,
  time_zone: Nullable(
    t.String({ description: "As Europe/Berlin (IANA); null for bots and deactivated accounts" }),
  ),
  shared_room_ids: t.Array(Id, {
    description: "The rooms that the caller and the user are both members of, by name",
  }),
});

export const Me = t.Composite([
  User,
  t.Object({
    email: Nullable(t.String({ description: "null for a bot" })),
    theme: Theme,
    follows_system: t.Boolean({
      description: "Light or dark by the device's setting, until a theme is chosen",
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
    time_zone: Nullable(
      t.String({ description: "The user's time zone, which others see; null until it is set" }),
    ),
    sound: t.Unsafe<Static<typeof Sound>>({
      ...Sound,
      description: "The sound of the web client's notifications",
    }),
    push_paused_until: Nullable(Timestamp),
    push_preview: PushPreview,
    keywords: t.Array(t.String(), {
      description: "Words that notify the user like a mention, in the user's rooms",
    }),
    sidebar: SidebarSettings,
    is_site_admin: t.Boolean(),
    created_at: Timestamp,
    version: Version,
  }),
]);

export const Session = t.Object({
  id: Id,
  is_current: t.Boolean(),
  user_agent: Nullable(t.String()),
  method: oneOf(["password", "passkey", "provider"], {
    description: "How the user signed in",
  }),
  provider: Nullable(t.String({ description: "The name of the identity provider that was used" })),
  address: Nullable(
    t.String({ description: "The network it was last seen from, as 203.0.113.0/24" }),
  ),
  created_at: Timestamp,
  last_seen_at: Timestamp,
});

export type Status = Static<typeof Status>;
export type PushPreview = Static<typeof PushPreview>;
export type User = Static<typeof User>;
export type Person = Static<typeof Person>;
export type SidebarSettings = Static<typeof SidebarSettings>;
export type QuietHours = Static<typeof QuietHours>;
export type Sound = Static<typeof Sound>;
export type Team = Static<typeof Team>;
export type Me = Static<typeof Me>;
export type Session = Static<typeof Session>;

export const Privacy = oneOf(["open", "private"]);
export const RoomKind = oneOf(["room", "direct"]);
/** A reference to a room; a conversation has no name. */
export const RoomRef = t.Object({ id: Id, kind: RoomKind, name: Nullable(t.String()) });
export const Role = oneOf(["owner", "admin", "member"]);
export const Notify = oneOf(["all", "mentions", "none"]);

/** Whether new threads can start in a room; existing threads continue. */
export const Threads = oneOf(["on", "off"]);

/** Which replies of a room are pushed: those of followed threads, or all. */
export const ThreadPush = oneOf(["followed", "all"]);

/** The caller's own membership of a room. */
export const Membership = t.Object({
  role: Role,
  last_read_at: Timestamp,
  last_read_seq: t.Integer({ minimum: 0, description: "The mark's number in the room's log" }),
  notify: Notify,
  muted_until: Nullable(
    t.String({
      ...Timestamp,
      description:
        "Until then it is muted, whatever `notify` says; null once that is over. No event says when",
    }),
  ),
  thread_push: t.Unsafe<Static<typeof ThreadPush>>({
    ...ThreadPush,
    description: "Which replies are pushed, within what `notify` allows",
  }),
  unread: t.Boolean(),
  mention_count: t.Integer({ description: "At most 1,000 are counted" }),
  pinned_at: Nullable(
    t.String({ ...Timestamp, description: "When it became a favourite; null if it is not one" }),
  ),
  version: Version,
});

/** The caller's read position in a room, and their unread counts as of a number in its log. */
export const ReadMark = t.Composite([
  t.Pick(Membership, ["last_read_at", "last_read_seq", "unread", "mention_count", "version"]),
  t.Object({
    unread_count: t.Optional(
      t.Integer({ description: "Only for direct conversations, at most 100" }),
    ),
    room_seq: t.Integer({ minimum: 0, description: "The room's number that this includes" }),
  }),
]);

export const RoomReadMark = t.Composite([t.Object({ room_id: Id }), ReadMark]);

/** Who may pin messages in a room. */
export const Pinning = oneOf(["members", "admins"]);
export const NewestPin = t.Object({
  message_id: Id,
  excerpt: t.String({
    description: "The beginning of its text, without Markdown; empty without text",
  }),
});
const Pins = {
  pin_count: t.Integer({ description: "0 for callers who are not members" }),
  newest_pin: Nullable(NewestPin),
};
export const Room = t.Object({
  id: Id,
  name: t.String(),
  description: Nullable(t.String()),
  privacy: Privacy,
  is_archived: t.Boolean(),
  is_default: t.Boolean({ description: "New accounts join it automatically" }),
  pinning: t.Unsafe<Static<typeof Pinning>>({
    ...Pinning,
    description: "Who may pin messages: all members, or the owner and admins",
  }),
  threads: t.Unsafe<Static<typeof Threads>>({
    ...Threads,
    description: "While off, no new thread can start; existing ones continue",
  }),
  owner: User,
  created_at: Timestamp,
  member_count: t.Integer(),
  last_message_at: Nullable(Timestamp),
  seq: t.Integer({ minimum: 0, description: "The events of the room's log that this includes" }),
  private_until_seq: Nullable(
    t.Integer({
      minimum: 0,
      description:
        "Of a room that was a conversation, and therefore stays private: messages up to this number are for their authors alone to delete",
    }),
  ),
});

/** A room with the caller's membership: null for callers who are not members. */
export const MyRoom = t.Composite([Room, t.Object({ ...Pins, membership: Nullable(Membership) })]);
export const Member = t.Object({ user: User, role: Role, joined_at: Timestamp, status: Status });

const DirectMembership = t.Composite([
  t.Pick(Membership, [
    "last_read_at",
    "last_read_seq",
    "notify",
    "muted_until",
    "unread",
    "version",
  ]),
  t.Object({
    unread_count: t.Integer({ description: "At most 100 are counted" }),
    hidden_at: Nullable(
      t.String({ description: "When the caller hid it; a later message lists it again" }),
    ),
    pinned_at: Nullable(Timestamp),
  }),
]);

/** A direct conversation; its `id` is the `room_id` of its messages. */
export const Direct = t.Object({
  id: Id,
  kind: oneOf(["self", "pair", "group"]),
  members: t.Array(t.Object({ user: User, status: Status }), {
    description: "All of them, by username",
  }),
  created_at: Timestamp,
  last_message_at: Nullable(Timestamp),
  is_closed: t.Boolean({
    description: "Nobody can post: the partner is deactivated, or everyone else has left",
  }),
  seq: t.Integer({ minimum: 0, description: "The events of the log that this includes" }),
  ...Pins,
  membership: DirectMembership,
  last_message: t.Optional(
    Nullable(
      t.Object(
        {
          id: Id,
          author_id: Id,
          excerpt: t.String({
            description: "The beginning of its text, without Markdown; empty without text",
          }),
        },
        { description: "Only in lists that request it" },
      ),
    ),
  ),
});

export type Privacy = Static<typeof Privacy>;
export type RoomKind = Static<typeof RoomKind>;
export type RoomRef = Static<typeof RoomRef>;
export type Role = Static<typeof Role>;
export type Notify = Static<typeof Notify>;
export type Threads = Static<typeof Threads>;
export type ThreadPush = Static<typeof ThreadPush>;
export type Membership = Static<typeof Membership>;
export type ReadMark = Static<typeof ReadMark>;
export type RoomReadMark = Static<typeof RoomReadMark>;
export type Pinning = Static<typeof Pinning>;
export type NewestPin = Static<typeof NewestPin>;
export type Room = Static<typeof Room>;
export type MyRoom = Static<typeof MyRoom>;
export type Member = Static<typeof Member>;
export type Direct = Static<typeof Direct>;

export const Image = t.Object({
  id: Id,
  url: t.String(),
  width: t.Integer(),
  height: t.Integer(),
  mime: t.String(),
  size_bytes: t.Integer(),
  blurhash: Nullable(t.String()),
  alt: Nullable(t.String({ description: "What it shows, in the words of its author" })),
});
export const File = t.Object({
  id: Id,
  url: t.String(),
  name: t.String(),
  mime: t.String(),
  size_bytes: t.Integer(),
});
export const LinkPreview = t.Object({
  url: t.String(),
  title: Nullable(t.String()),
  description: Nullable(t.String()),
  image_url: Nullable(t.String()),
  site_name: Nullable(t.String()),
  is_image: t.Boolean(),
});
export const Reaction = t.Object({
  emoji: t.String(),
  count: t.Integer(),
  user_ids: t.Array(Id),
});

/** The people mentioned by `@room` and `@here`: all members, or those online. */
export const Broadcast = oneOf(["room", "here"]);

export const Pinned = t.Object({ by: User, at: Timestamp });

/** A thread, as its root shows it. */
export const Thread = t.Object({
  title: Nullable(t.String()),
  reply_count: t.Integer({ minimum: 1 }),
  last_reply_seq: Seq,
  last_reply_at: Timestamp,
  author_ids: t.Array(Id, {
    maxItems: MAX_THREAD_AUTHORS,
    description: "Who replied last, the newest first; webhooks are left out",
  }),
  is_resolved: t.Boolean({ description: "Someone marked it done, and nobody has replied since" }),
});

/** The root of a thread, as its replies show it. */
export const ReplyRoot = t.Object({
  id: Id,
  author: t.Object({
    id: Id,
    name: t.String({ description: "The display name, or else the username" }),
    profile_version: ProfileVersion,
  }),
  title: Nullable(t.String()),
  excerpt: Nullable(t.String({ description: "The plain text of at most 80 characters" })),
});

/** A quoted message of the same room, in its current state. */
export const Quote = t.Union([
  t.Object({
    id: Id,
    author: User,
    excerpt: Nullable(t.String({ description: "The plain text of at most 300 characters" })),
    has_image: t.Boolean(),
    has_file: t.Boolean(),
    created_at: Timestamp,
  }),
  t.Object({ id: Id, is_gone: t.Literal(true) }),
]);
export const Message = t.Object({
  id: Id,
  room_id: Id,
  seq: Seq,
  author: User,
  content: Nullable(t.String()),
  image: Nullable(Image),
  file: Nullable(File),
  reactions: t.Array(Reaction),
  preview_url: Nullable(t.String()),
  preview: Nullable(LinkPreview),
  mentions: t.Array(t.Object({ user_id: Id, username: t.String() })),
  broadcast: Nullable({
    ...Broadcast,
    description: "It mentions all members (`room`), or those who were online (`here`)",
  }),
  room_references: t.Array(t.Object({ room_id: Id, name: t.String() })),
  group_id: Nullable({ ...Id, description: "Shared by messages that were sent together" }),
  pinned: Nullable(Pinned),
  thread_id: Nullable({ ...Id, description: "Of a reply: the root of its thread" }),
  thread: Nullable({ ...Thread, description: "Of a message with replies" }),
  root: Nullable({ ...ReplyRoot, description: "Of a reply" }),
  quote: Nullable(Quote),
  created_at: Timestamp,
  edited_at: Nullable(Timestamp),
  deleted_at: Nullable(
    t.String({
      ...Timestamp,
      description:
        "Set on a deleted message, which stays without its content because of its replies",
    }),
  ),
  via: Nullable(
    t.Object(
      {
        kind: t.Literal("incoming_webhook"),
        name: t.String(),
        icon_emoji: Nullable(t.String()),
      },
      {
        description:
          "The webhook that posted it. `author` is its bot, or else stands for the webhook: its name, and the id of no account",
      },
    ),
  ),
  client_id: Nullable(t.String({ description: "null for everyone but the author" })),
});

export const SearchResult = t.Object({
  message: Message,
  room: t.Object({
    id: Id,
    kind: oneOf(["room", "direct"]),
    name: Nullable(t.String()),
  }),
  matches: t.Array(
    // Not a tuple schema, which older OpenAPI tools do not support.
    t.Unsafe<[start: number, end: number]>({
      ...t.Array(t.Integer({ minimum: 0 }), { minItems: 2, maxItems: 2 }),
    }),
    { description: "Where the words are in `content`: start and end in UTF-16 units" },
  ),
});
export const SearchResults = t.Object({
  items: t.Array(SearchResult),
  next: Nullable(t.String()),
  searched_until: Nullable(
    t.String({ description: "How far the search has come; null when it has looked at everything" }),
  ),
  is_complete: t.Boolean({ description: "False while older messages are still being indexed" }),
  unknown: t.Array(t.String(), {
    description: "Filters whose room or person the caller cannot see",
  }),
});
export const JoinRun = t.Object({
  first_seq: t.Integer({ minimum: 1, description: "The event of the first of them" }),
  last_seq: t.Integer({ minimum: 1, description: "The event of the last of them" }),
  count: t.Integer({ minimum: 1 }),
  users: t.Array(User, { description: "The first three" }),
});
export const UnreadCount = t.Object({
  last_read_at: t.String({ ...Timestamp, description: "The read mark after which it is counted" }),
  count: t.Integer({ description: "Messages by others; at most 1,000 are counted" }),
});

export const History = t.Object({
  items: t.Array(Message),
  joins: t.Optional(
    t.Array(JoinRun, {
      description:
        "Only with `joins=true`: who joined in the last 30 days, the newest 1,000 of them, in runs without a message in between",
    }),
  ),
  unread: t.Optional(
    t.Unsafe<Static<typeof UnreadCount> | null>({
      ...Nullable(UnreadCount),
      description: "Only with `unread=true`: what the caller has not read, up to `seq`",
    }),
  ),
  has_more_before: t.Boolean(),
  has_more_after: t.Boolean(),
  seq: t.Integer({ minimum: 0, description: "The events of the room's log that this includes" }),
});

export type UnreadCount = Static<typeof UnreadCount>;
export type Image = Static<typeof Image>;
export type File = Static<typeof File>;
export type LinkPreview = Static<typeof LinkPreview>;
export type Reaction = Static<typeof Reaction>;
export type Broadcast = Static<typeof Broadcast>;
export type Thread = Static<typeof Thread>;
export type ReplyRoot = Static<typeof ReplyRoot>;
export type Quote = Static<typeof Quote>;
export type Message = Static<typeof Message>;
export type SearchResult = Static<typeof SearchResult>;
export type SearchResults = Static<typeof SearchResults>;
export type JoinRun = Static<typeof JoinRun>;
export type History = Static<typeof History>;
