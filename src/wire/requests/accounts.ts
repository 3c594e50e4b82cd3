import { type Static, Type as t } from "@sinclair/typebox";
import {
  MAX_EMAIL_LENGTH,
  MAX_KEYWORD_LENGTH,
  MAX_KEYWORDS,
  MAX_THEME_NAME_LENGTH,
  MIN_KEYWORD_LENGTH,
} from "../limits.ts";
import { PUSH_ENDPOINT_PATTERN } from "../patterns.ts";
import {
  Colors,
  Nullable,
  Preset,
  PushPreview,
  QuietHours,
  SidebarSettings,
  Sound,
} from "../models.ts";
import { atMost, DisplayName, Email, nameOf, Password, Time, Username } from "./fields.ts";

/** Signing in and up, the caller's own account, its themes and devices. */

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

/** Colours that are absent stay as they are. */
export const UpdateTheme = t.Partial(
  t.Object({ name: ThemeName, colors: t.Partial(Colors), is_dark: t.Boolean() }),
);
export const ChangePassword = t.Object({
  current_password: t.Optional(
    t.String({ minLength: 1, maxLength: 1_024, description: "A proof for this call alone" }),
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

/** What a signup link is good for. */
export const SignupLink = t.Object({
  email: Nullable(t.String({ description: "null where the person enters one" })),
  kind: t.Union([t.Literal("first"), t.Literal("invite"), t.Literal("shared")], {
    description: "For the first administrator, for one person, or for several",
  }),
});

/** The form of `PushSubscription.toJSON()`: base64url, with or without padding. */
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
