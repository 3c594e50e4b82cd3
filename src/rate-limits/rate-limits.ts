import { sql } from "drizzle-orm";
import type { Drizzle, Query } from "../database/connect.ts";
import { likePrefix } from "../database/like.ts";
import { rateLimits } from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";

/** Allows `max` attempts by `key` in a window of `minutes`. */
export type RateLimit = { key: string; max: number; minutes: number };

const hasExpired = sql`${rateLimits.expiresAt} <= clock_timestamp()`;

/**
 * Counts an attempt against each limit in turn, for all instances together and before the work is
 * done, so that concurrent attempts count too. It stops at the first limit that is exceeded. Put the
 * limit of an address first: a refused address then neither adds a row for each account it tries nor
 * locks the accounts' owners out. The hourly sweep prunes expired windows.
 * @throws Refusal `rate_limited`
 */
export async function countAttempt(db: Query, limits: RateLimit[]): Promise<void> {
  for (const { key, max, minutes } of limits) {
    const expiresAt = sql`clock_timestamp() + ${minutes}::int * interval '1 minute'`;
    const [row] = await db
      .insert(rateLimits)
      .values({ key, count: 1, expiresAt })
      .onConflictDoUpdate({
        target: rateLimits.key,
        set: {
          count: sql`case when ${hasExpired} then 1 else ${rateLimits.count} + 1 end`,
          expiresAt: sql`case when ${hasExpired} then excluded.expires_at
            else ${rateLimits.expiresAt} end`,
        },
      })
      .returning({
        count: rateLimits.count,
        seconds: sql<number>`extract(epoch from ${rateLimits.expiresAt} - clock_timestamp())::float8`,
      });
    if (!row || row.count <= max) continue;
    throw new Refusal("rate_limited", "Too many attempts. Wait a few minutes, then try again.", {
      retryAfter: row.seconds,
    });
  }
}

/**
 * Runs an attempt of which only failures count: it is counted before it runs, and the count is undone if it
 * succeeds.
 * @throws Refusal of `countAttempt`; what `attempt` throws
 */
export async function limitFailures<T>(
  db: Query,
  limits: RateLimit[],
  attempt: () => Promise<T>,
): Promise<T> {
  await countAttempt(db, limits);
  const result = await attempt();
  const keys = limits.map(({ key }) => key);
  await db
    .update(rateLimits)
    .set({ count: sql`greatest(0, ${rateLimits.count} - 1)` })
    .where(sql`${rateLimits.key} = any(${sql.param(keys)}::text[])`);
  return result;
}

/** Deletes the counts of these keys, and of all keys that start with these prefixes. */
export async function clearAttempts(
  db: Query,
  { keys, prefixes }: { keys: string[]; prefixes: string[] },
): Promise<void> {
  const patterns = prefixes.map((prefix) => likePrefix(prefix));
  await db.delete(rateLimits).where(
    sql`${rateLimits.key} = any(${sql.param(keys)}::text[])
        or ${rateLimits.key} like any(${sql.param(patterns)}::text[])`,
  );
}

export async function deleteExpiredRateLimits(db: Drizzle): Promise<void> {
  await db.delete(rateLimits).where(hasExpired);
}
