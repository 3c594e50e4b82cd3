import { Type as t } from "@sinclair/typebox";
import { writeAudit } from "../audit/write.ts";
import type { Database } from "../database/connect.ts";
import type { Mailer } from "../email/mailer.ts";
import { deleteSmtpSettings, readSmtpSettings, saveSmtpSettings } from "../email/settings.ts";
import type { ReadKey } from "../platform/secrets.ts";
import { route } from "../routing/route.ts";
import { readUploadLimit, setUploadLimit } from "../uploads/limit.ts";
import { setLogo, storeLogo, updateTeam } from "./team.ts";
import { readSiteName, readTeam } from "../team/read.ts";
import { withUploadSlot } from "../uploads/upload-slots.ts";
import { SmtpSettings, TestSmtp, UpdateSmtp, UpdateTeam, UploadSettings } from "../wire/admin.ts";
import { Team } from "../wire/models.ts";
import type { Store } from "../platform/storage/open.ts";
import { changeAsAdministrator } from "./change.ts";

export type SettingsDeps = {
  database: Database;
  store: Store;
  readKey: ReadKey;
  mailer: Mailer;
  baseUrl: string;
};

const SMTP_TARGET = { id: null, name: "smtp" };
const TEAM_TARGET = { id: null, name: "team" };
const UPLOADS_TARGET = { id: null, name: "uploads" };

/**
 * Settings of the whole site, for site administrators. A setting is a table, its functions in the folder
 * that uses it, its shape in `wire/admin.ts`, and its routes here, which write the audit log.
 */
export const settingsRoutes = ({
  database: { db },
  readKey,
  mailer,
  store,
  baseUrl,
}: SettingsDeps) => [
  route("PUT /api/admin/settings/team", {
    access: "administrator",
    proof: "none",
    summary: "Name the team, or note how far its first administrator has set it up",
    body: UpdateTeam,
    answers: { 200: Team },
    run: (call) =>
      changeAsAdministrator(db, call, async (tx, actor) => {
        await updateTeam(tx, call.body);
        const { name, setup_step } = call.body;
        await writeAudit(tx, actor, "settings.team", TEAM_TARGET, { name, setup_step });
        return readTeam(tx);
      }),
  }),
  route("PUT /api/admin/settings/team/logo", {
    access: "administrator",
    proof: "none",
    summary: "Set the team's logo",
    body: "file",
    answers: { 200: Team },
    errors: ["too_large", "rate_limited", "not_an_image", "image_too_big"],
    run: (call) =>
      withUploadSlot(call.actor.id, async () => {
        const kept = await storeLogo(db, store, call.request);
        return changeAsAdministrator(db, call, async (tx, actor) => {
          await setLogo(tx, kept);
          await writeAudit(tx, actor, "settings.team", TEAM_TARGET, { logo: "changed" });
          return readTeam(tx);
        });
      }),
  }),
  route("DELETE /api/admin/settings/team/logo", {
    access: "administrator",
    proof: "none",
    summary: "Remove the team's logo",
    answers: { 200: Team },
    run: (call) =>
      changeAsAdministrator(db, call, async (tx, actor) => {
        await setLogo(tx, []);
        await writeAudit(tx, actor, "settings.team", TEAM_TARGET, { logo: "removed" });
        return readTeam(tx);
      }),
  }),
  route("GET /api/admin/settings/smtp", {
    access: "administrator",
    summary: "Get the mail server's settings",
    answers: { 200: SmtpSettings },
    run: () => readSmtpSettings(db),
  }),
  route("PUT /api/admin/settings/smtp", {
    access: "administrator",
    proof: "needed",
    summary: "Set the mail server; an absent password is kept",
    body: UpdateSmtp,
    answers: { 200: SmtpSettings },
    run: (call) =>
      changeAsAdministrator(db, call, async (tx, actor) => {
        await saveSmtpSettings(tx, readKey, call.body);
        const saved = await readSmtpSettings(tx);
        const { has_password, ...details } = saved;
        const password = describePassword(call.body.password);
        await writeAudit(tx, actor, "settings.smtp", SMTP_TARGET, { ...details, password });
        return saved;
      }),
  }),
  route("DELETE /api/admin/settings/smtp", {
    access: "administrator",
    proof: "none",
    summary: "Remove the mail server's settings",
    answers: { 204: null },
    run: (call) =>
      changeAsAdministrator(db, call, async (tx, actor) => {
        if (!(await deleteSmtpSettings(tx))) return;
        await writeAudit(tx, actor, "settings.smtp", SMTP_TARGET, { removed: true });
      }),
  }),
  route("POST /api/admin/settings/smtp/test", {
    access: "administrator",
    proof: "none",
    summary: "Send a test mail and report the mail server's answer",
    body: TestSmtp,
    answers: { 200: t.Object({ to: t.String() }) },
    errors: ["smtp_not_configured", "delivery_failed"],
    async run({ body }) {
      await mailer.sendTest(body.to, await readSiteName(db, baseUrl));
      return { to: body.to };
    },
  }),
  route("GET /api/admin/settings/uploads", {
    access: "administrator",
    summary: "Get how large an upload may be",
    answers: { 200: UploadSettings },
    run: async () => ({ max_bytes: await readUploadLimit(db) }),
  }),
  route("PUT /api/admin/settings/uploads", {
    access: "administrator",
    proof: "none",
    summary: "Set how large an upload may be",
    body: UploadSettings,
    answers: { 200: UploadSettings },
    run: (call) =>
      changeAsAdministrator(db, call, async (tx, actor) => {
        const { max_bytes } = call.body;
        await setUploadLimit(tx, max_bytes);
        await writeAudit(tx, actor, "settings.uploads", UPLOADS_TARGET, { max_bytes });
        return { max_bytes };
      }),
  }),
];

/** For the audit log, which must not contain the password. */
function describePassword(password: string | null | undefined): string {
  if (password === undefined) return "kept";
  return password ? "changed" : "taken away";
}
