import { Type as t } from "@sinclair/typebox";
import {
  AdminRoom,
  AdminUser,
  AdminWebhook,
  ApiToken,
  AuditRow,
  FailedJob,
  Invite,
  NewApiToken,
  PasswordWasReset,
  SentInvite,
  SmtpSettings,
  UploadSettings,
} from "../../wire/admin.ts";
import { Id, Page } from "../../wire/models.ts";
import type { Media, Operation, Operations } from "../operation.ts";

const CSV: Media = { media: "text/csv", description: "RFC 4180, with a header" };

const account = (summary: string, errors: Operation["errors"] = []): Operation => ({
  summary,
  answers: { 200: AdminUser },
  errors: ["not_found", ...errors],
});
const room = (summary: string, errors: Operation["errors"] = []): Operation => ({
  summary,
  answers: { 200: AdminRoom },
  errors: ["room_not_found", ...errors],
});

export const ADMIN: Operations = {
  "GET /api/admin/users": { summary: "All accounts", answers: { 200: Page(AdminUser) } },
  "POST /api/admin/users/:id/deactivate": account("Shut an account out, at once", [
    "self_lockout",
    "last_admin",
  ]),
  "POST /api/admin/users/:id/reactivate": account("Let an account sign in again"),
  "POST /api/admin/users/:id/promote": account("Make someone an administrator", ["bot_account"]),
  "POST /api/admin/users/:id/demote": account("Take administration away", [
    "self_lockout",
    "last_admin",
  ]),
  "POST /api/admin/users/:id/reset-password": {
    summary: "Set an account's password, or make one; all its sessions end",
    answers: { 200: PasswordWasReset },
    errors: ["not_found", "bot_account"],
  },
  "GET /api/admin/rooms": {
    summary: "All rooms, private ones included",
    answers: { 200: Page(AdminRoom) },
  },
  "PATCH /api/admin/rooms/:id": room("Put everyone who signs up into a room, or not"),
  "POST /api/admin/rooms/:id/archive": room("Make a room read-only"),
  "POST /api/admin/rooms/:id/unarchive": room("Bring a room back"),
  "POST /api/admin/rooms/:id/transfer": room("Make someone a room's owner", ["unknown_user"]),
  "GET /api/admin/webhooks": {
    summary: "Webhooks of all rooms, of both directions",
    answers: { 200: Page(AdminWebhook) },
  },
  "GET /api/admin/invites": { summary: "Who was invited", answers: { 200: Page(Invite) } },
  "POST /api/admin/invites": {
    summary: "Invite someone by email; without mail, the link is in the answer",
    answers: { 201: SentInvite },
    errors: ["email_taken", "already_invited"],
  },
  "POST /api/admin/invites/:id/resend": {
    summary: "Send an invite again, with a new link",
    answers: { 200: SentInvite },
    errors: ["not_found", "invite_closed"],
  },
  "DELETE /api/admin/invites/:id": {
    summary: "Revoke an invite",
    answers: { 204: null },
    errors: ["not_found", "invite_closed"],
  },
  "GET /api/admin/bots": { summary: "All bots", answers: { 200: Page(AdminUser) } },
  "POST /api/admin/bots": {
    summary: "Make a bot",
    answers: { 201: AdminUser },
    errors: ["username_taken"],
  },
  "PATCH /api/admin/bots/:id": account("Rename a bot, shut it out or let it in"),
  "GET /api/admin/bots/:id/tokens": {
    summary: "A bot's tokens, without what opens them",
    answers: { 200: Page(ApiToken) },
    errors: ["not_found"],
  },
  "POST /api/admin/bots/:id/tokens": {
    summary: "Make a token; it is shown in this answer alone",
    answers: { 201: NewApiToken },
    errors: ["not_found"],
  },
  "DELETE /api/admin/bots/:id/tokens/:token_id": {
    summary: "Revoke a token, and close the sockets that stand on it",
    answers: { 204: null },
    errors: ["not_found"],
  },
  "GET /api/admin/settings/smtp": {
    summary: "Where mail goes out",
    answers: { 200: SmtpSettings },
  },
  "PUT /api/admin/settings/smtp": {
    summary: "Set where mail goes out; an absent password is kept",
    answers: { 200: SmtpSettings },
  },
  "DELETE /api/admin/settings/smtp": { summary: "Let no mail go out", answers: { 204: null } },
  "POST /api/admin/settings/smtp/test": {
    summary: "Send a test mail, and tell the server's own words",
    answers: { 200: t.Object({ to: t.String() }) },
    errors: ["smtp_not_configured", "delivery_failed"],
  },
  "GET /api/admin/settings/uploads": {
    summary: "How large an upload may be",
    answers: { 200: UploadSettings },
  },
  "PUT /api/admin/settings/uploads": {
    summary: "Set how large an upload may be",
    answers: { 200: UploadSettings },
  },
  "GET /api/admin/audit-log": {
    summary: "What administrators did",
    answers: { 200: Page(AuditRow) },
  },
  "GET /api/admin/audit-log.csv": {
    summary: "The same, all of it, as CSV",
    answers: { 200: CSV },
  },
  "GET /api/admin/jobs": {
    summary: "Jobs whose tries are used up",
    answers: { 200: Page(FailedJob) },
  },
  "POST /api/admin/jobs/:id/retry": {
    summary: "Try a failed job again",
    answers: { 200: t.Object({ id: Id, kind: t.String(), state: t.Literal("waiting") }) },
    errors: ["not_found"],
  },
};
