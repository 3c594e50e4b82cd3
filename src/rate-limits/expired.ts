import { lt, sql } from "drizzle-orm";
import type { Drizzle } from "../database/connect.ts";
import { rateLimits } from "../database/schema.ts";

export async function deleteExpiredRateLimits(db: Drizzle): Promise<void> {
  await db.delete(rateLimits).where(lt(rateLimits.expiresAt, sql`clock_timestamp()`));
}
