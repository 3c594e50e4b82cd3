import type { HandSql } from "../database/connect.ts";
import { Refusal } from "../platform/refusal.ts";

/** One thing to count: at most `most` in a window of `minutes`. */
export type Limit = { key: string; most: number; minutes: number };

/**
 * Counts one attempt against every limit, on all instances together and before the work is done,
 * so that attempts made in parallel count too.
 * @throws Refusal `rate_limited` when any limit is passed
 */
export async function countAttempt(sql: HandSql, limits: Limit[]): Promise<void> {
  // In key order, so that two that count the same keys cannot wait for each other.
  const ordered = limits.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const rows = await sql<{ key: string; count: number; seconds: number }[]>`
    insert into rate_limits as r (key, count, expires_at)
    select key, 1, clock_timestamp() + minutes * interval '1 minute'
    from unnest(${ordered.map((l) => l.key)}::text[], ${ordered.map((l) => l.minutes)}::int[])
      as i(key, minutes)
    on conflict (key) do update set
      count = case when r.expires_at <= clock_timestamp() then 1 else r.count + 1 end,
      expires_at = case when r.expires_at <= clock_timestamp() then excluded.expires_at
        else r.expires_at end
    returning key, count, extract(epoch from expires_at - clock_timestamp())::float8 as seconds`;
  const passed = rows.filter(
    (row) => row.count > (limits.find((l) => l.key === row.key)?.most ?? 0),
  );
  if (passed.length === 0) return;
  throw new Refusal("rate_limited", "Too many attempts. Wait a few minutes, then try again.", {
    retryAfter: Math.max(...passed.map((row) => row.seconds)),
  });
}

/** Takes back the attempts of one that succeeded: only failures are to count. */
export async function forgiveAttempt(sql: HandSql, limits: Limit[]): Promise<void> {
  await sql`update rate_limits set count = greatest(0, count - 1)
    where key = any(${limits.map((l) => l.key)}::text[])`;
}
