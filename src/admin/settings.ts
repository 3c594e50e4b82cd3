import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { Transaction } from "../database/connect.ts";
import { deleteSmtpSettings, readSmtpSettings, saveSmtpSettings } from "../email/settings.ts";
import type { ReadKey } from "../platform/secrets/secrets.ts";
import { setUploadLimit } from "../uploads/limit.ts";
import type { SmtpSettings, UpdateSmtp } from "../wire/admin.ts";

/* Changes of the whole site's settings, by administrators and by commands. */

const SMTP_TARGET = { id: null, name: "smtp" };

/** @throws Refusal of `saveSmtpSettings` */
export async function changeMail(
  tx: Transaction,
  actor: AuditActor,
  readKey: ReadKey,
  params: UpdateSmtp,
): Promise<SmtpSettings> {
  await saveSmtpSettings(tx, readKey, params);
  const settings = await readSmtpSettings(tx);
  const { has_password, failure, ...details } = settings;
  // The log must not contain the password.
  const password =
    params.password === undefined ? "kept" : params.password ? "changed" : "taken away";
  await writeAudit(tx, actor, "settings.smtp", SMTP_TARGET, { ...details, password });
  return settings;
}

/** @returns false if mail was off already */
export async function removeMail(tx: Transaction, actor: AuditActor): Promise<boolean> {
  const isRemoved = await deleteSmtpSettings(tx);
  if (isRemoved) await writeAudit(tx, actor, "settings.smtp", SMTP_TARGET, { removed: true });
  return isRemoved;
}

/** @throws Refusal of `setUploadLimit` */
export async function changeUploadLimit(
  tx: Transaction,
  actor: AuditActor,
  max_bytes: number,
): Promise<void> {
  await setUploadLimit(tx, max_bytes);
  await writeAudit(tx, actor, "settings.uploads", { id: null, name: "uploads" }, { max_bytes });
}
