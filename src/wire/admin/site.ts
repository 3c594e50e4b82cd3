import { type Static, Type as t } from "@sinclair/typebox";
import {
  MAX_TEAM_NAME_LENGTH,
  MAX_UPLOAD_LIMIT,
  MIN_UPLOAD_LIMIT,
  SETUP_STEPS,
} from "../limits.ts";
import { Id, Nullable, Room, Timestamp, User } from "../models.ts";
import { Email, nameOf } from "../requests.ts";

/** The team, its settings, and what happens on the site. */

export const UpdateAdminRoom = t.Object({ is_default: t.Boolean() });
export const UploadSettings = t.Object({
  max_bytes: t.Integer({ minimum: MIN_UPLOAD_LIMIT, maximum: MAX_UPLOAD_LIMIT }),
});

/** Fields that are absent stay as they are; without a name the team is called Snug. */
export const UpdateTeam = t.Partial(
  t.Object({
    name: Nullable(nameOf(MAX_TEAM_NAME_LENGTH)),
    setup_step: t.Integer({ minimum: 0, maximum: SETUP_STEPS }),
  }),
);

/** Counts of what the site holds, and what needs an administrator. */
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
      description: "Whether that of the last week is an estimate: from 20,000 on",
    }),
  }),
  storage: t.Object({ bytes: t.Integer({ description: "Of all that was uploaded" }) }),
  jobs: t.Object({ waiting: t.Integer(), failed: t.Integer() }),
  invites: t.Object({ pending: t.Integer() }),
  webhooks: t.Object({ disabled: t.Integer({ description: "By the service, after failures" }) }),
  sends_mail: t.Boolean(),
  last_backup_at: Nullable(Timestamp),
  directs: t.Object(
    { count: t.Integer(), bytes: t.Integer({ description: "Of their images and files" }) },
    { description: "All direct conversations together" },
  ),
});

/** A webhook of any room: `incoming` posts into it, `outgoing` receives its events. */
export const AdminWebhook = t.Object({
  id: Id,
  direction: t.Union([t.Literal("incoming"), t.Literal("outgoing")]),
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

/** An administrator's action in the audit log. */
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
export const Security = t.Union([t.Literal("none"), t.Literal("starttls"), t.Literal("tls")]);

/** Outgoing mail; everything is null until it is set up. The password is never returned. */
export const SmtpSettings = t.Object({
  host: Nullable(t.String()),
  port: Nullable(t.Integer()),
  security: Nullable(Security),
  username: Nullable(t.String()),
  from: Nullable(t.String({ description: "An address, or a name and an address in brackets" })),
  has_password: t.Boolean(),
});

/** An absent password stays as it is; null removes it. */
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

export type Overview = Static<typeof Overview>;
export type AdminWebhook = Static<typeof AdminWebhook>;
export type AuditRow = Static<typeof AuditRow>;
export type FailedJob = Static<typeof FailedJob>;
export type UpdateTeam = Static<typeof UpdateTeam>;
export type UploadSettings = Static<typeof UploadSettings>;
export type Security = Static<typeof Security>;
export type SmtpSettings = Static<typeof SmtpSettings>;
export type UpdateSmtp = Static<typeof UpdateSmtp>;
