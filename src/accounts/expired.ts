import { lt, sql } from "drizzle-orm";
import type { Drizzle } from "../database/connect.ts";
import { passwordResets, sessions } from "../database/schema.ts";

export async function deleteExpiredSessions(db: Drizzle): Promise<void> {
  await db.delete(sessions).where(lt(sessions.expiresAt, sql`clock_timestamp()`));
}

/** Kept for a day after they expire, so that a late click is answered "expired", not "unknown". */
export async function deleteExpiredResets(db: Drizzle): Promise<void> {
  const until = sql`clock_timestamp() - interval '1 day'`;
  await db.delete(passwordResets).where(lt(passwordResets.expiresAt, until));
}
