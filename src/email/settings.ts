import { and, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { Query, Transaction } from "../database/connect.ts";
import { jobs, smtpSettings } from "../database/schema.ts";
import { MAIL_KINDS } from "../jobs-queue/kinds.ts";
import { isStorable } from "../platform/input/json.ts";
import { makeFieldRefusal } from "../platform/refusal.ts";
import { sealValue, unsealValue } from "../platform/secrets/sealed.ts";
import type { ReadKey } from "../platform/secrets/secrets.ts";
import type { MailFailure, Security, SmtpSettings, UpdateSmtp } from "../wire/admin.ts";
import { type Address, parseAddress } from "./mail.ts";
import { lockForKey } from "../database/tables.ts";

/** The purpose of the sealed password, also used by `snug secrets rotate`. */
export const SMTP_PASSWORD = "SMTP password";

export type Smtp = {
  host: string;
  port: number;
  security: Security;
  auth: { user: string; pass: string } | null;
  from: Address;
};

type Row = typeof smtpSettings.$inferSelect;

/** @returns undefined while mail is off */
async function readRow(tx: Query): Promise<Row | undefined> {
  const [row] = await tx.select().from(smtpSettings);
  return row;
}

export async function readSmtpSettings(tx: Query): Promise<SmtpSettings> {
  const row = await readRow(tx);
  const failure = await describeFailure(tx, row);
  return {
    host: row?.host ?? null,
    port: row?.port ?? null,
    security: row?.security ?? null,
    username: row?.username ?? null,
    from: row?.from ?? null,
    has_password: row?.password != null,
    ...(failure && { failure }),
  };
}

export async function isMailConfigured(tx: Query): Promise<boolean> {
  return (await readRow(tx)) !== undefined;
}

/** Null if there are none. @throws UnsealError if the password was sealed with another key */
export async function readSmtpWithPassword(tx: Query, readKey: ReadKey): Promise<Smtp | null> {
  const row = await readRow(tx);
  if (!row) return null;
  const { host, port, security, username, password } = row;
  const pass = password === null ? "" : unsealValue(await readKey(), SMTP_PASSWORD, password);
  const auth = username === null ? null : { user: username, pass };
  return { host, port, security, auth, from: parseAddress(row.from) ?? { name: "", address: "" } };
}

/** Without `password` the current one stays; an empty one removes it. @throws Refusal `validation` */
export async function saveSmtpSettings(
  tx: Transaction,
  readKey: ReadKey,
  params: UpdateSmtp,
): Promise<void> {
  for (const field of ["username", "password", "from"] as const) {
    if (!isStorable(params[field] ?? "") || /\p{Cc}/u.test(params[field] ?? "")) {
      throw makeFieldRefusal(`/${field}`, "This must be one line of text.");
    }
  }
  const from = params.from.trim();
  if (parseAddress(from) === null) {
    throw makeFieldRefusal(
      "/from",
      "Enter an address, or a name and an address like Snug <snug@example.org>.",
    );
  }
  await lockForKey(tx, smtpSettings);
  const { host, port, security } = params;
  const password = params.password && sealValue(await readKey(), SMTP_PASSWORD, params.password);
  const username = params.username || null;
  const values = {
    ...{ host, port, security, username, from },
    ...(password === undefined ? {} : { password: password || null }),
  };
  await tx
    .insert(smtpSettings)
    .values(values)
    .onConflictDoUpdate({ target: smtpSettings.isOnly, set: values });
}

/** @returns false if there were no settings */
export async function deleteSmtpSettings(tx: Transaction): Promise<boolean> {
  return (await tx.delete(smtpSettings).returning()).length > 0;
}

/** The last failure is stored in the row of the settings, so that administrators see both together. */

const COUNTED_JOBS = 10_000;

/** @param failure the mail server's response */
export async function saveMailFailure(tx: Query, failure: string): Promise<void> {
  const failingSince = sql`coalesce(${smtpSettings.failingSince}, clock_timestamp())`;
  await tx.update(smtpSettings).set({ failingSince, failure });
}

export async function clearMailFailure(tx: Query): Promise<void> {
  await tx
    .update(smtpSettings)
    .set({ failingSince: null, failure: null })
    .where(isNotNull(smtpSettings.failingSince));
}

/** Reads why emails cannot be sent and how many wait; null if the last email was sent. */
export async function readMailFailure(tx: Query): Promise<MailFailure | null> {
  return describeFailure(tx, await readRow(tx));
}

async function describeFailure(tx: Query, row: Row | undefined): Promise<MailFailure | null> {
  if (!row?.failingSince || row.failure === null) return null;
  const unsent = tx
    .select({ one: sql`1`.as("one") })
    .from(jobs)
    .where(and(inArray(jobs.kind, [...MAIL_KINDS]), isNull(jobs.failedAt)))
    .limit(COUNTED_JOBS)
    .as("unsent");
  const [counts] = await tx.select({ waiting: sql<number>`count(*)::int` }).from(unsent);
  return {
    since: row.failingSince.toISOString(),
    error: row.failure,
    waiting: counts?.waiting ?? 0,
  };
}
