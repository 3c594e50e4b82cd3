import { eq, sql } from "drizzle-orm";
import type { Query, Transaction } from "../database/connect.ts";
import { users } from "../database/schema.ts";

/** An arbitrary advisory lock: creating the first account and its link run one after the other. */
const FIRST_ACCOUNT_LOCK = 5_733_522;

/** True if a person has an account. */
export async function hasAccount(tx: Query): Promise<boolean> {
  const rows = await tx.select({ id: users.id }).from(users).where(eq(users.isBot, false)).limit(1);
  return rows.length > 0;
}

/** Waits for other transactions that may create the first account. */
export async function lockFirstAccount(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${FIRST_ACCOUNT_LOCK})`);
}
