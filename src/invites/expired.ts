import { lt, sql } from "drizzle-orm";
import type { Drizzle } from "../database/connect.ts";
import { invites } from "../database/schema.ts";

/** Kept for 30 days after they expire, so that a late click is answered "expired", not "unknown". */
export async function deleteExpiredInvites(db: Drizzle): Promise<void> {
  const until = sql`clock_timestamp() - interval '30 days'`;
  await db.delete(invites).where(lt(invites.expiresAt, until));
}
