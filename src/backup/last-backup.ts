import { sql } from "drizzle-orm";
import type { Drizzle } from "../database/connect.ts";
import { schedules } from "../database/schema.ts";

const NAME = "backup";

/** Notes that a backup was taken. Where the job was never due, it is due at once. */
export async function noteBackup(db: Drizzle, createdAt: string): Promise<void> {
  const lastSuccessAt = new Date(createdAt);
  await db
    .insert(schedules)
    .values({ name: NAME, nextAt: lastSuccessAt, lastSuccessAt })
    .onConflictDoUpdate({
      target: schedules.name,
      set: { lastSuccessAt: sql`greatest(${schedules.lastSuccessAt}, excluded.last_success_at)` },
    });
}
