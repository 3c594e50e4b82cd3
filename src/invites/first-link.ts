import { isNull, sql } from "drizzle-orm";
import type { Drizzle, Query, Transaction } from "../database/connect.ts";
import { invites, users } from "../database/schema.ts";
import { hashToken, randomToken } from "../platform/secrets.ts";

const FIRST_LINK_HOURS = 24;
/** Any number of our own: making the first account and its link take turns. */
const FIRST_ACCOUNT_LOCK = 5_733_522;

/**
 * Makes the first administrator's link while no account exists; the one before it is void.
 * @returns the token, or null once there is an account
 */
export function createFirstLink(db: Drizzle): Promise<string | null> {
  return db.transaction(async (tx) => {
    await lockFirstAccount(tx);
    if (await hasAccount(tx)) return null;
    const token = randomToken();
    await tx.delete(invites).where(isNull(invites.email));
    await tx.insert(invites).values({
      id: Bun.randomUUIDv7(),
      tokenHash: hashToken(token),
      expiresAt: new Date(Date.now() + FIRST_LINK_HOURS * 3_600_000),
    });
    return token;
  });
}

/** True once anyone has an account. */
export async function hasAccount(tx: Query): Promise<boolean> {
  const rows = await tx.select({ id: users.id }).from(users).limit(1);
  return rows.length > 0;
}

/** Whoever makes an account while there may be none takes turns. */
export async function lockFirstAccount(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${FIRST_ACCOUNT_LOCK})`);
}
