import { lt, sql } from "drizzle-orm";
import type { Drizzle } from "../database/connect.ts";
import {
  loginChallenges,
  oidcFlows,
  passwordResets,
  sessions,
  usedLogoutTokens,
} from "../database/schema.ts";

/** Deletes what has expired: sessions, sign-ins that nobody finished, and used logout tokens. */
export async function deleteExpiredSessions(db: Drizzle): Promise<void> {
  await db.delete(sessions).where(lt(sessions.expiresAt, sql`clock_timestamp()`));
}

/** Deletes sign-ins that nobody finished, and the ids of logout tokens that have expired. */
export async function deleteExpiredSignIns(db: Drizzle): Promise<void> {
  for (const table of [loginChallenges, oidcFlows, usedLogoutTokens]) {
    await db.delete(table).where(lt(table.expiresAt, sql`clock_timestamp()`));
  }
}

/**
 * Deletes reset links a day after they expire, so that a late click is answered "expired", not
 * "unknown".
 */
export async function deleteExpiredResets(db: Drizzle): Promise<void> {
  const until = sql`clock_timestamp() - interval '1 day'`;
  await db.delete(passwordResets).where(lt(passwordResets.expiresAt, until));
}
