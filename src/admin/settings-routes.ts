import { Type as t } from "@sinclair/typebox";
import { auditActorOf } from "../audit/write.ts";
import { readSmtpSettings } from "../email/settings.ts";
import { route } from "../routing/route.ts";
import { readUploadLimit } from "../uploads/limit.ts";
import { SmtpSettings, TestSmtp, UpdateSmtp, UploadSettings } from "../wire/admin.ts";
import type { AdminDeps } from "./deps.ts";
import { removeSmtp, updateSmtp } from "./smtp.ts";
import { updateUploads } from "./uploads.ts";

/** Settings of the whole site, for site administrators. */
export const settingsRoutes = ({ database: { db, sql }, readKey, mailer }: AdminDeps) => [
  route("GET /api/admin/settings/smtp", {
    access: "administrator",
    summary: "Get the mail server's settings",
    answers: { 200: SmtpSettings },
    run: () => readSmtpSettings(db),
  }),
  route("PUT /api/admin/settings/smtp", {
    access: "administrator",
    summary: "Set the mail server; an absent password is kept",
    body: UpdateSmtp,
    answers: { 200: SmtpSettings },
    run: (call) => updateSmtp(db, readKey, auditActorOf(call), call.body),
  }),
  route("DELETE /api/admin/settings/smtp", {
    access: "administrator",
    summary: "Remove the mail server's settings",
    answers: { 204: null },
    run: (call) => removeSmtp(db, auditActorOf(call)),
  }),
  route("POST /api/admin/settings/smtp/test", {
    access: "administrator",
    summary: "Send a test mail and report the mail server's answer",
    body: TestSmtp,
    answers: { 200: t.Object({ to: t.String() }) },
    errors: ["smtp_not_configured", "delivery_failed"],
    async run({ body }) {
      await mailer.sendTest(body.to);
      return { to: body.to };
    },
  }),
  route("GET /api/admin/settings/uploads", {
    access: "administrator",
    summary: "Get how large an upload may be",
    answers: { 200: UploadSettings },
    run: async () => ({ max_bytes: await readUploadLimit(sql) }),
  }),
  route("PUT /api/admin/settings/uploads", {
    access: "administrator",
    summary: "Set how large an upload may be",
    body: UploadSettings,
    answers: { 200: UploadSettings },
    run: (call) => updateUploads(db, auditActorOf(call), call.body),
  }),
];
