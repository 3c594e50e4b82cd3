import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { Transaction } from "../database/connect.ts";
import { deleteSmtpSettings, readSmtpSettings, saveSmtpSettings } from "../email/settings.ts";
import type { ReadKey } from "../platform/secrets/secrets.ts";
import { readTeam } from "../team/read.ts";
import type { StoredBlob } from "../uploads/blobs.ts";
import { setUploadLimit } from "../uploads/limit.ts";
import type { SmtpSettings, UpdateSmtp, UpdateTeam } from "../wire/admin.ts";
import type { Team } from "../wire/models.ts";
import { setLogo, updateTeam } from "./team.ts";

/* Changes of the whole site's settings, by administrators and by commands. */

const TEAM_TARGET = { id: null, name: "team" };
const SMTP_TARGET = { id: null, name: "smtp" };
const UPLOADS_TARGET = { id: null, name: "uploads" };

/** @throws Refusal of `updateTeam` */
export async function changeTeam(
  tx: Transaction,
  actor: AuditActor,
  params: UpdateTeam,
): Promise<Team> {
  await updateTeam(tx, params);
  const { name, setup_step } = params;
  await writeAudit(tx, actor, "settings.team", TEAM_TARGET, { name, setup_step });
  return readTeam(tx);
}

/** @param blobs from `storeSquares`; none to remove the logo */
export async function changeLogo(
  tx: Transaction,
  actor: AuditActor,
  blobs: StoredBlob[],
): Promise<Team> {
  const isRemoval = blobs.length === 0;
  const team = await readTeam(tx);
  if (isRemoval && team.logo_url === null) return team;
  await setLogo(tx, blobs);
  const logo = isRemoval ? "removed" : "changed";
  await writeAudit(tx, actor, "settings.team", TEAM_TARGET, { logo });
  return readTeam(tx);
}

/** @throws Refusal of `saveSmtpSettings` */
export async function changeMail(
  tx: Transaction,
  actor: AuditActor,
  readKey: ReadKey,
  params: UpdateSmtp,
): Promise<SmtpSettings> {
  await saveSmtpSettings(tx, readKey, params);
  const saved = await readSmtpSettings(tx);
  const { has_password, failure, ...details } = saved;
  const password = describePassword(params.password);
  await writeAudit(tx, actor, "settings.smtp", SMTP_TARGET, { ...details, password });
  return saved;
}

/** For the audit log, which must not contain the password. */
function describePassword(password: string | null | undefined): string {
  if (password === undefined) return "kept";
  return password ? "changed" : "taken away";
}

/** Turns mail off. @returns false if it was off already */
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
  await writeAudit(tx, actor, "settings.uploads", UPLOADS_TARGET, { max_bytes });
}
