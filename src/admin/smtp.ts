import { audit } from "../audit/audit.ts";
import type { Drizzle } from "../database/connect.ts";
import { clearSmtp, readSmtp, writeSmtp } from "../email/settings.ts";
import type { ReadKey } from "../platform/secrets.ts";
import type { SmtpSettings, UpdateSmtp } from "../wire/admin.ts";
import type { By } from "./by.ts";

/**
 * Sets where mail goes out.
 * @throws Refusal `validation`
 */
export function updateSmtp(
  db: Drizzle,
  readKey: ReadKey,
  by: By,
  given: UpdateSmtp,
): Promise<SmtpSettings> {
  return db.transaction(async (tx) => {
    await writeSmtp(tx, readKey, given);
    const now = await readSmtp(tx);
    const password =
      given.password === undefined ? "kept" : given.password ? "changed" : "taken away";
    const { host, port, security, username, from } = now;
    const details = { host, port, security, username, from, password };
    await audit(tx, { ...by, ...SETTINGS, details });
    return now;
  });
}

/** Lets no mail go out any more. */
export function removeSmtp(db: Drizzle, by: By): Promise<void> {
  return db.transaction(async (tx) => {
    if (!(await clearSmtp(tx))) return;
    await audit(tx, { ...by, ...SETTINGS, details: { removed: true } });
  });
}

const SETTINGS = {
  action: "settings.smtp",
  targetType: "settings",
  targetId: null,
  targetName: "smtp",
};
