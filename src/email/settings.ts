import { sql } from "drizzle-orm";
import type { Query, Transaction } from "../database/connect.ts";
import { prepareQuery } from "../database/prepared.ts";
import { smtpSettings } from "../database/schema.ts";
import { isStorable } from "../platform/json.ts";
import { makeInvalid } from "../platform/refusal.ts";
import { sealValue, unsealValue } from "../platform/sealed.ts";
import type { ReadKey } from "../platform/secrets.ts";
import type { Security, SmtpSettings, UpdateSmtp } from "../wire/admin.ts";
import { type Address, parseAddress } from "./address.ts";

/** The purpose of the sealed password, also used by `snug secrets rotate`. */
export const SMTP_PASSWORD = "SMTP password";

/** The mail server's settings with the decrypted password. */
export type Smtp = {
  host: string;
  port: number;
  security: Security;
  auth: { user: string; pass: string } | null;
  from: Address;
};

const findSettings = prepareQuery("smtp_settings", (db) => db.select().from(smtpSettings));

/** Reads the settings as administrators see them: without the password. */
export async function readSmtpSettings(tx: Query): Promise<SmtpSettings> {
  const [row] = await findSettings(tx, {});
  return {
    host: row?.host ?? null,
    port: row?.port ?? null,
    security: row?.security ?? null,
    username: row?.username ?? null,
    from: row?.from ?? null,
    has_password: row?.password != null,
  };
}

/** True if a mail server is set. */
export async function isMailConfigured(tx: Query): Promise<boolean> {
  return (await findSettings(tx, {})).length > 0;
}

/**
 * Reads the settings with the password, or null if none are set.
 * @throws UnsealError if the password was sealed with another key
 */
export async function readSmtpWithPassword(tx: Query, readKey: ReadKey): Promise<Smtp | null> {
  const [row] = await findSettings(tx, {});
  if (!row) return null;
  const { host, port, security, username, password } = row;
  const pass = password === null ? "" : unsealValue(await readKey(), SMTP_PASSWORD, password);
  const auth = username === null ? null : { user: username, pass };
  return { host, port, security, auth, from: parseAddress(row.from) ?? { name: "", address: "" } };
}

/**
 * Saves the settings. An absent password stays unchanged, an empty one is removed.
 * @throws Refusal `validation`
 */
export async function saveSmtpSettings(
  tx: Transaction,
  readKey: ReadKey,
  params: UpdateSmtp,
): Promise<void> {
  for (const field of ["username", "password", "from"] as const) {
    if (!isStorable(params[field] ?? "") || /\p{Cc}/u.test(params[field] ?? "")) {
      throw makeInvalid(`/${field}`, "This must be one line of text.");
    }
  }
  const from = params.from.trim();
  if (parseAddress(from) === null) {
    throw makeInvalid(
      "/from",
      "Give an address, or a name and an address as Snug <snug@example.org>.",
    );
  }
  // Lock before reading the key: a key rotation locks this table until the new key is in place.
  await tx.execute(sql`lock table ${smtpSettings} in row exclusive mode`);
  const { host, port, security } = params;
  const values = { host, port, security, username: params.username || null, from };
  const password =
    params.password === undefined
      ? {}
      : {
          password: params.password
            ? sealValue(await readKey(), SMTP_PASSWORD, params.password)
            : null,
        };
  await tx
    .insert(smtpSettings)
    .values({ ...values, ...password })
    .onConflictDoUpdate({ target: smtpSettings.isOnly, set: { ...values, ...password } });
}

/** Turns mail off. @returns false if it was off already */
export async function deleteSmtpSettings(tx: Transaction): Promise<boolean> {
  return (await tx.delete(smtpSettings).returning()).length > 0;
}
