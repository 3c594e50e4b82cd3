import { type Static, Type as t } from "@sinclair/typebox";
import { Id, Me, Nullable, Room, Timestamp, User, oneOf } from "./models.ts";
import { DisplayName, Email, nameOf, Password, Time, Username } from "./requests.ts";
import {
  MAX_INVITE_LINK_DAYS,
  MAX_INVITE_LINK_USES,
  MAX_INVITE_ROOMS,
  MAX_TEAM_NAME_LENGTH,
  MAX_TOKEN_NAME_LENGTH,
  MAX_UPLOAD_LIMIT,
  MIN_UPLOAD_LIMIT,
  SETUP_STEPS,
} from "./limits.ts";
import { SCOPES } from "./scopes.ts";

/** Excludes the person's room order and keywords, which are private. */
export const AdminUser = t.Composite([
  t.Omit(Me, ["sidebar", "keywords"]),
  t.Object({
    last_seen_at: Nullable(Timestamp),
    keeps_password: t.Boolean({ description: "An emergency account, where passwords are off" }),
    has_second_factor: t.Boolean(),
  }),
]);
export const UpdateUser = t.Object({ keeps_password: t.Boolean() });
export const ResetUserPassword = t.Object({ password: t.Optional(Password) });

/** The password is in no other response; null if the request set it. */
export const PasswordWasReset = t.Composite([
  AdminUser,
  t.Object({ password: Nullable(t.String()) }),
]);

export type PasswordWasReset = Static<typeof PasswordWasReset>;
export type AdminUser = Static<typeof AdminUser>;

export const UpdateAdminRoom = t.Object({ is_default: t.Boolean() });
export const UploadSettings = t.Object({
  max_bytes: t.Integer({ minimum: MIN_UPLOAD_LIMIT, maximum: MAX_UPLOAD_LIMIT }),
});

/** Absent fields stay unchanged. Without a name the team is called Snug. */
export const UpdateTeam = t.Partial(
  t.Object({
    name: Nullable(nameOf(MAX_TEAM_NAME_LENGTH)),
    setup_step: t.Integer({ minimum: 0, maximum: SETUP_STEPS }),
  }),
);

/** Why emails currently cannot be sent. */
export const MailFailure = t.Object(
  {
    since: Timestamp,
    error: t.String({ description: "What the mail server said last" }),
    waiting: t.Integer({ description: "Mails that are retried; counted up to 10,000" }),
  },
  { description: "Present while the mail server refuses mails" },
);

export const Overview = t.Object({
  version: t.String(),
  people: t.Object({
    active: t.Integer(),
    online: t.Integer(),
    deactivated: t.Integer(),
    bots: t.Integer(),
  }),
  rooms: t.Object({ active: t.Integer(), archived: t.Integer() }),
  messages: t.Object({
    count: t.Integer(),
    is_estimate: t.Boolean({ description: "Whether the count is an estimate: beyond 50,000" }),
    last_week: t.Integer(),
    is_last_week_estimate: t.Boolean({
      description: "Whether `last_week` is an estimate: from 10,000 on",
    }),
  }),
  storage: t.Object({ bytes: t.Integer({ description: "Size of all uploads" }) }),
  jobs: t.Object({ waiting: t.Integer(), failed: t.Integer() }),
  invites: t.Object({ pending: t.Integer() }),
  webhooks: t.Object({
    disabled: t.Integer({ description: "Disabled by the service after failures" }),
  }),
  sends_mail: t.Boolean(),
  mail_failure: t.Optional(MailFailure),
  last_backup_at: Nullable(Timestamp),
  directs: t.Object(
    { count: t.Integer(), bytes: t.Integer({ description: "Size of their images and files" }) },
    { description: "All direct conversations together" },
  ),
});

/** A webhook of any room: `incoming` posts messages into it, `outgoing` receives its events. */
export const AdminWebhook = t.Object({
  id: Id,
  direction: oneOf(["incoming", "outgoing"]),
  room: t.Pick(Room, ["id", "name"]),
  name: t.String(),
  url: Nullable(
    t.String({ description: "Where an outgoing webhook sends; null for an incoming one" }),
  ),
  is_active: t.Boolean(),
  disabled_reason: Nullable(t.String()),
  created_by: User,
  created_at: Timestamp,
  last_used_at: Nullable(Timestamp),
});

export const AuditRow = t.Object({
  id: Id,
  actor: Nullable(User),
  action: t.String({ description: "Such as user.deactivate" }),
  target_type: t.String(),
  target_id: Nullable(Id),
  target_name: Nullable(t.String({ description: "Its name at that time" })),
  details: t.Record(t.String(), t.Unknown()),
  ip: Nullable(t.String()),
  created_at: Timestamp,
});

/** A job that is out of attempts. */
export const FailedJob = t.Object({
  id: Id,
  kind: t.String(),
  attempts: t.Integer(),
  max_attempts: t.Integer(),
  last_error: t.String(),
  created_at: Timestamp,
  failed_at: Timestamp,
});
export const Security = oneOf(["none", "starttls", "tls"]);

/** Settings of outgoing email; all null until configured. The password is never returned. */
export const SmtpSettings = t.Object({
  host: Nullable(t.String()),
  port: Nullable(t.Integer()),
  security: Nullable(Security),
  username: Nullable(t.String()),
  from: Nullable(t.String({ description: "An address, or a name and an address in brackets" })),
  has_password: t.Boolean(),
  failure: t.Optional(MailFailure),
});

/** An absent password stays unchanged; null removes it. */
export const UpdateSmtp = t.Object({
  host: t.String({
    pattern: "^[A-Za-z0-9.:_-]{1,253}$",
    expected: "the name or address of a mail server",
  }),
  port: t.Integer({ minimum: 1, maximum: 65_535 }),
  security: Security,
  username: t.Optional(Nullable(t.String({ maxLength: 320 }))),
  password: t.Optional(Nullable(t.String({ maxLength: 1_024 }))),
  from: t.String({ minLength: 3, maxLength: 320 }),
});
export const TestSmtp = t.Object({ to: Email });

export type MailFailure = Static<typeof MailFailure>;
export type Overview = Static<typeof Overview>;
export type AdminWebhook = Static<typeof AdminWebhook>;
export type AuditRow = Static<typeof AuditRow>;
export type FailedJob = Static<typeof FailedJob>;
export type UpdateTeam = Static<typeof UpdateTeam>;
export type UploadSettings = Static<typeof UploadSettings>;
export type Security = Static<typeof Security>;
export type SmtpSettings = Static<typeof SmtpSettings>;
export type UpdateSmtp = Static<typeof UpdateSmtp>;

export const CreateBot = t.Object({
  username: Username,
  display_name: t.Optional(Nullable(DisplayName)),
});
export const UpdateBot = t.Partial(
  t.Object({ display_name: Nullable(DisplayName), is_active: t.Boolean() }),
);
export const Scope = oneOf(SCOPES);

export const ApiToken = t.Object({
  id: Id,
  name: t.String(),
  last4: t.String({ description: "Its last four characters" }),
  scopes: t.Array(Scope),
  expires_at: Nullable(Timestamp),
  last_used_at: Nullable(Timestamp),
  created_at: Timestamp,
  created_by: Nullable(User),
});

/** The secret token is only in this response. */
export const NewApiToken = t.Composite([ApiToken, t.Object({ token: t.String() })]);
export const CreateToken = t.Object({
  name: nameOf(MAX_TOKEN_NAME_LENGTH),
  scopes: t.Array(Scope, { uniqueItems: true }),
  expires_at: t.Optional(Nullable(Time)),
});

export type CreateBot = Static<typeof CreateBot>;
export type UpdateBot = Static<typeof UpdateBot>;
export type ApiToken = Static<typeof ApiToken>;
export type NewApiToken = Static<typeof NewApiToken>;
export type CreateToken = Static<typeof CreateToken>;

export const InviteStatus = oneOf(["pending", "accepted", "expired", "revoked"]);
export const Invite = t.Object({
  id: Id,
  email: t.String(),
  status: InviteStatus,
  room_ids: t.Array(Id),
  invited_by: Nullable(User),
  created_at: Timestamp,
  expires_at: Timestamp,
  accepted_at: Nullable(Timestamp),
});

/** Contains the link only if email is off. */
export const SentInvite = t.Composite([
  Invite,
  t.Object({ email_queued: t.Boolean(), link: Nullable(t.String()) }),
]);
export const CreateInvite = t.Object({
  email: Email,
  room_ids: t.Optional(t.Array(Id, { maxItems: MAX_INVITE_ROOMS, uniqueItems: true })),
});

export const InviteLink = t.Object({
  id: Id,
  link: Nullable(
    t.String({ description: "null once it has ended, or if the secret key was replaced since" }),
  ),
  uses: t.Integer({ description: "How many have signed up with it" }),
  max_uses: t.Integer(),
  is_active: t.Boolean(),
  created_by: User,
  created_at: Timestamp,
  expires_at: Timestamp,
  revoked_at: Nullable(Timestamp),
});
export const CreateInviteLink = t.Object({
  days: t.Optional(t.Integer({ minimum: 1, maximum: MAX_INVITE_LINK_DAYS })),
  max_uses: t.Optional(t.Integer({ minimum: 1, maximum: MAX_INVITE_LINK_USES })),
});

export type InviteLink = Static<typeof InviteLink>;
export type CreateInviteLink = Static<typeof CreateInviteLink>;
export type Invite = Static<typeof Invite>;
export type InviteStatus = Static<typeof InviteStatus>;
export type SentInvite = Static<typeof SentInvite>;
export type CreateInvite = Static<typeof CreateInvite>;
