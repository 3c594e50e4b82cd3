import { type Static, Type as t } from "@sinclair/typebox";
import {
  MAX_ALT_LENGTH,
  MAX_CONTENT_LENGTH,
  MAX_DISPLAY_NAME_LENGTH,
  MAX_EMAIL_LENGTH,
  MAX_KEYWORD_LENGTH,
  MAX_KEYWORDS,
  MAX_PASSWORD_LENGTH,
  MAX_ROOM_DESCRIPTION_LENGTH,
  MAX_THEME_NAME_LENGTH,
  MIN_KEYWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
} from "./limits.ts";
import {
  EMAIL_PATTERN,
  PUSH_ENDPOINT_PATTERN,
  ROOM_NAME_PATTERN,
  TIMESTAMP_PATTERN,
  USERNAME_INPUT_PATTERN,
  UUID_PATTERN,
} from "./patterns.ts";
import {
  Colors,
  Id,
  Notify,
  Nullable,
  Pinning,
  Preset,
  Privacy,
  PushPreview,
  QuietHours,
  SidebarSettings,
  Sound,
  ThreadPush,
  Threads,
  TimeZone,
  oneOf,
} from "./models.ts";

/**
 * Request bodies. Unknown fields are ignored. `expected` completes the sentence "`name` must be …"
 * of a refusal.
 */

const characters = (min: number, max: number) => `text of ${min} to ${max} characters`;
export const Username = t.String({
  pattern: USERNAME_INPUT_PATTERN,
  description: "1 to 32 letters, digits, dots, dashes or underscores; compared in lower case",
  expected: "1 to 32 letters, digits, dots, dashes or underscores",
});

/**
 * Maximum length of a text in code points (`maxCharacters`), which the API's description shows.
 * `maxLength` counts UTF-16 code units and only limits the work.
 */
export const atMost = (maxCharacters: number) => ({ maxLength: maxCharacters * 2, maxCharacters });
export const Password = t.String({
  minLength: MIN_PASSWORD_LENGTH,
  ...atMost(MAX_PASSWORD_LENGTH),
  expected: characters(MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH),
});
export const Email = t.String({
  pattern: EMAIL_PATTERN,
  maxLength: MAX_EMAIL_LENGTH,
  expected: "an email address",
});

/** The length in code points is checked after trimming; `maxLength` only limits the work. */
export const nameOf = (maxLength: number) =>
  t.String({
    maxLength: maxLength * 4,
    maxCharacters: maxLength,
    expected: characters(1, maxLength),
  });
export const DisplayName = nameOf(MAX_DISPLAY_NAME_LENGTH);
export const RoomName = t.String({
  pattern: ROOM_NAME_PATTERN,
  description: "1 to 40 lower-case letters, digits, dashes or underscores",
  expected: "1 to 40 lower-case letters, digits, dashes or underscores",
});
export const Description = t.String({
  ...atMost(MAX_ROOM_DESCRIPTION_LENGTH),
  expected: `text of at most ${MAX_ROOM_DESCRIPTION_LENGTH} characters`,
});

/** Not an `Id`, because it is returned exactly as sent. */
export const ClientId = t.String({ pattern: `(?:${UUID_PATTERN})`, expected: "a UUID" });

/** A time in a request. `parseTime` checks that the day exists. */
export const Time = t.String({
  pattern: TIMESTAMP_PATTERN,
  description: "RFC 3339",
  expected: "a time such as 2026-01-31T12:00:00Z",
});

export const Content = t.String({
  ...atMost(MAX_CONTENT_LENGTH),
  expected: `text of at most ${MAX_CONTENT_LENGTH.toLocaleString("en")} characters`,
});
const ImageAlt = t.String({
  maxLength: MAX_ALT_LENGTH,
  expected: `text of at most ${MAX_ALT_LENGTH.toLocaleString("en")} characters`,
});

export const Login = t.Object({
  username: t.String({ minLength: 1, maxLength: MAX_EMAIL_LENGTH }),
  password: t.String({ minLength: 1, maxLength: 1_024 }),
});
export const UpdateMe = t.Partial(
  t.Object({
    display_name: Nullable(DisplayName),
    theme: Preset,
    follows_system: t.Boolean({ description: "Becomes false if a theme is set" }),
    appear_offline: t.Boolean(),
    email_on_added: t.Boolean(),
    email_on_missed: t.Boolean(),
    quiet_hours: Nullable(QuietHours),
    time_zone: Nullable(TimeZone),
    sound: Sound,
    push_preview: PushPreview,
    keywords: t.Array(
      t.String({
        ...atMost(MAX_KEYWORD_LENGTH),
        expected: `a word of ${MIN_KEYWORD_LENGTH} to ${MAX_KEYWORD_LENGTH} characters`,
      }),
      { maxItems: MAX_KEYWORDS },
    ),
    push_paused_until: Nullable(t.String({ ...Time, description: "At most 31 days from now" })),
    sidebar: t.Partial(SidebarSettings, { description: "Fields that are absent stay as they are" }),
  }),
);
const ThemeName = nameOf(MAX_THEME_NAME_LENGTH);
export const CreateTheme = t.Object({ name: ThemeName, colors: Colors, is_dark: t.Boolean() });

/** Absent colours stay unchanged. */
export const UpdateTheme = t.Partial(
  t.Object({ name: ThemeName, colors: t.Partial(Colors), is_dark: t.Boolean() }),
);
export const ChangePassword = t.Object({
  current_password: t.Optional(
    t.String({ minLength: 1, maxLength: 1_024, description: "A proof for this call only" }),
  ),
  new_password: Password,
});

/** The token of a link in an email. */
export const LinkToken = t.Object({ token: t.String({ minLength: 1, maxLength: 200 }) });
export const ForgotPassword = t.Object({ email: Email });
export const ResetPassword = t.Object({
  token: t.String({ minLength: 1, maxLength: 200 }),
  password: Password,
});
export const Signup = t.Object({
  token: t.String({ minLength: 1, maxLength: 200 }),
  username: Username,
  password: Password,
  display_name: t.Optional(Nullable(DisplayName)),
  email: t.Optional(Email),
});

export const SignupLink = t.Object({
  email: Nullable(t.String({ description: "null where the person enters one" })),
  kind: oneOf(["first", "invite", "shared"], {
    description: "For the first administrator, for one person, or for several",
  }),
});

/** A key in the format of `PushSubscription.toJSON()`: base64url, with or without padding. */
const PushKey = t.String({
  pattern: "^[A-Za-z0-9_-]{16,100}={0,2}$",
  expected: "a key in base64url",
});
const PushEndpoint = t.String({ pattern: PUSH_ENDPOINT_PATTERN, expected: "an https address" });
export const Subscribe = t.Object({
  endpoint: PushEndpoint,
  keys: t.Object({ p256dh: PushKey, auth: PushKey }),
});
export const Unsubscribe = t.Object({ endpoint: PushEndpoint });

export type Subscribe = Static<typeof Subscribe>;
export type ResetPassword = Static<typeof ResetPassword>;
export type Login = Static<typeof Login>;
export type UpdateMe = Static<typeof UpdateMe>;
export type CreateTheme = Static<typeof CreateTheme>;
export type UpdateTheme = Static<typeof UpdateTheme>;
export type Signup = Static<typeof Signup>;
export type SignupLink = Static<typeof SignupLink>;

export const CreateRoom = t.Object({
  name: RoomName,
  privacy: Privacy,
  description: t.Optional(Nullable(Description)),
});
export const UpdateRoom = t.Partial(
  t.Object({
    name: RoomName,
    privacy: Privacy,
    description: Nullable(Description),
    pinning: Pinning,
    threads: Threads,
  }),
);
const GivenRole = oneOf(["admin", "member"]);
export const AddMember = t.Object({
  user_id: t.Optional(Id),
  username: t.Optional(Username),
  role: t.Optional(GivenRole),
});
export const ChangeRole = t.Object({ role: GivenRole });
export const TransferRoom = t.Object({ user_id: Id });

/** The other members of a conversation; empty for notes to oneself. */
export const OpenDirect = t.Object({ user_ids: t.Array(Id) });
export const AddToDirect = t.Object({ user_id: Id });
export const MakeRoom = t.Object({
  name: RoomName,
  description: t.Optional(Nullable(Description)),
});
export const MarkRead = t.Object({ message_id: t.Optional(Nullable(Id)) });
export const MarkUnread = t.Object({ message_id: Id });
export const UpdateMembership = t.Partial(
  t.Object({
    notify: t.Unsafe<Static<typeof Notify>>({
      ...Notify,
      description: "Also ends `muted_until`, unless that is set, too",
    }),
    muted_until: Nullable(
      t.String({ ...Time, description: "Mutes until this time; null ends it" }),
    ),
    thread_push: ThreadPush,
    pinned: t.Boolean({ description: "Whether the room is among the caller's favourites" }),
    hidden: t.Boolean({
      description: "Of a direct conversation: left out of the list until its next message",
    }),
  }),
);

export type CreateRoom = Static<typeof CreateRoom>;
export type UpdateRoom = Static<typeof UpdateRoom>;
export type UpdateMembership = Static<typeof UpdateMembership>;
export type OpenDirect = Static<typeof OpenDirect>;
export type MakeRoom = Static<typeof MakeRoom>;
export type AddMember = Static<typeof AddMember>;

/** Whether the service stores a draft with the message's `client_id`, which posting the message clears. */
export const ClearsDraft = t.Optional(
  t.Boolean({ description: "Clears the caller's draft that was saved with the same `client_id`" }),
);

export const MessageFields = {
  content: t.Optional(Nullable(Content)),
  image_id: t.Optional(Nullable(Id)),
  image_alt: t.Optional(
    Nullable({ ...ImageAlt, description: "What the image shows, for those who cannot see it" }),
  ),
  file_id: t.Optional(Nullable(Id)),
  group_id: t.Optional(
    Nullable({
      ...Id,
      description: "The same for messages of one sending: clients show one gallery",
    }),
  ),
  thread_id: t.Optional(
    Nullable({ ...Id, description: "It is a reply to this message, or to the root of this reply" }),
  ),
  quote_id: t.Optional(Nullable({ ...Id, description: "A message of the same room" })),
};
export const PostMessage = t.Object({
  ...MessageFields,
  clears_draft: ClearsDraft,
  client_id: t.Optional(Nullable(ClientId)),
});
export const EditMessage = t.Object({ content: Nullable(Content) });

/** One Unicode emoji sequence (RGI, UTS 51). The longest have about 20 UTF-16 code units. */
export const Emoji = t.String({ minLength: 1, maxLength: 64, expected: "one emoji" });
export const React = t.Object({ emoji: Emoji });

export type PostMessage = Static<typeof PostMessage>;
