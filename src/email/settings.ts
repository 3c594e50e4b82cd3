import { sql } from "drizzle-orm";
import type { Query, Transaction } from "../database/connect.ts";
import { smtpSettings } from "../database/schema.ts";
import { isStorable } from "../platform/json.ts";
import { invalid } from "../platform/refusal.ts";
import { seal, unseal } from "../platform/sealed.ts";
import type { ReadKey } from "../platform/secrets.ts";
import type { Security, SmtpSettings, UpdateSmtp } from "../wire/admin.ts";
import { type Address, parseAddress } from "./address.ts";

/** What is sealed here, for `seal`, and for the command that rotates the secret key. */
export const SMTP_PASSWORD = "SMTP password";

/** How to reach the mail server, with the password in the clear. */
export type Smtp = {
  host: string;
  port: number;
  security: Security;
  auth: { user: string; pass: string } | null;
  from: Address;
};

/** The settings as an administrator sees them: without the password. */
export async function readSmtp(tx: Query): Promise<SmtpSettings> {
  const [row] = await tx.select().from(smtpSettings);
  return {
    host: row?.host ?? null,
    port: row?.port ?? null,
    security: row?.security ?? null,
    username: row?.username ?? null,
    from: row?.from ?? null,
    has_password: row?.password != null,
  };
}

/** True if mail goes out at all. */
export async function sendsMail(tx: Query): Promise<boolean> {
  return (await tx.select({ isOnly: smtpSettings.isOnly }).from(smtpSettings)).length > 0;
}

/**
 * The settings to send with, or null while there are none.
 * @throws UnsealError if the password was sealed with another key
 */
export async function openSmtp(tx: Query, readKey: ReadKey): Promise<Smtp | null> {
  const [row] = await tx.select().from(smtpSettings);
  if (!row) return null;
  const { host, port, security, username, password } = row;
  const pass = password === null ? "" : unseal(await readKey(), SMTP_PASSWORD, password);
  const auth = username === null ? null : { user: username, pass };
  return { host, port, security, auth, from: parseAddress(row.from) ?? { name: "", address: "" } };
}

/**
 * Sets where mail goes out, for mails that are sent after the commit. An absent password is kept.
 * @throws Refusal `validation`
 */
export async function writeSmtp(
  tx: Transaction,
  readKey: ReadKey,
  given: UpdateSmtp,
): Promise<void> {
  for (const field of ["username", "password", "from"] as const) {
    if (!isStorable(given[field] ?? "") || /\p{Cc}/u.test(given[field] ?? "")) {
      throw invalid(`/${field}`, "This must be one line of text.");
    }
  }
  const from = given.from.trim();
  if (parseAddress(from) === null) {
    throw invalid("/from", "Give an address, or a name and an address as Snug <snug@example.org>.");
  }
  // Before the key is read: whoever rotates it holds this table until the new one is in its place.
  await tx.execute(sql`lock table ${smtpSettings} in row exclusive mode`);
  const { host, port, security } = given;
  const values = { host, port, security, username: given.username || null, from };
  const password =
    given.password === undefined
      ? {}
      : { password: given.password ? seal(await readKey(), SMTP_PASSWORD, given.password) : null };
  await tx
    .insert(smtpSettings)
    .values({ ...values, ...password })
    .onConflictDoUpdate({ target: smtpSettings.isOnly, set: { ...values, ...password } });
}

/** Takes the settings away: no mail goes out any more. @returns false if there were none */
export async function clearSmtp(tx: Transaction): Promise<boolean> {
  return (await tx.delete(smtpSettings).returning()).length > 0;
}
