import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { Drizzle } from "../database/connect.ts";
import { deleteSmtpSettings, readSmtpSettings, saveSmtpSettings } from "../email/settings.ts";
import type { ReadKey } from "../platform/secrets.ts";
import type { SmtpSettings, UpdateSmtp } from "../wire/admin.ts";

/**
 * Sets where mail goes out.
 * @throws Refusal `validation`
 */
export function updateSmtp(
  db: Drizzle,
  readKey: ReadKey,
  actor: AuditActor,
  given: UpdateSmtp,
): Promise<SmtpSettings> {
  return db.transaction(async (tx) => {
    await saveSmtpSettings(tx, readKey, given);
    const now = await readSmtpSettings(tx);
    const password =
      given.password === undefined ? "kept" : given.password ? "changed" : "taken away";
    const { host, port, security, username, from } = now;
    const details = { host, port, security, username, from, password };
    await writeAudit(tx, actor, "settings.smtp", TARGET, details);
    return now;
  });
}

/** Lets no mail go out any more. */
export function removeSmtp(db: Drizzle, actor: AuditActor): Promise<void> {
  return db.transaction(async (tx) => {
    if (!(await deleteSmtpSettings(tx))) return;
    await writeAudit(tx, actor, "settings.smtp", TARGET, { removed: true });
  });
}

const TARGET = { id: null, name: "smtp" };
