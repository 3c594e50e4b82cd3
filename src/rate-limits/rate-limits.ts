import type { SqlClient } from "../database/connect.ts";
import { Refusal } from "../platform/refusal.ts";

/** A rate limit: `key` may be counted `max` times in a window of `minutes`. */
export type RateLimit = { key: string; max: number; minutes: number };

/**
 * Counts one attempt against each limit in turn, on all instances together and before the work is
 * done, so that attempts made in parallel count too. It ends at the first limit that is exceeded: the
 * limit of an address comes first, so that an address that is refused can name any number of accounts
 * without adding a row for each, or locking their owners out. The hourly sweep prunes windows that
 * are over.
 * @throws Refusal `rate_limited` when a limit is exceeded
 */
export async function countAttempt(sql: SqlClient, limits: RateLimit[]): Promise<void> {
  for (const { key, max, minutes } of limits) {
    const [row] = await sql<{ count: number; seconds: number }[]>`
      insert into rate_limits as r (key, count, expires_at)
      values (${key}, 1, clock_timestamp() + ${minutes}::int * interval '1 minute')
      on conflict (key) do update set
        count = case when r.expires_at <= clock_timestamp() then 1 else r.count + 1 end,
        expires_at = case when r.expires_at <= clock_timestamp() then excluded.expires_at
          else r.expires_at end
      returning count, extract(epoch from expires_at - clock_timestamp())::float8 as seconds`;
    if (!row || row.count <= max) continue;
    throw new Refusal("rate_limited", "Too many attempts. Wait a few minutes, then try again.", {
      retryAfter: row.seconds,
    });
  }
}

/** Takes back an attempt that succeeded: only failures count. */
export async function forgiveAttempt(sql: SqlClient, limits: RateLimit[]): Promise<void> {
  await sql`update rate_limits set count = greatest(0, count - 1)
    where key = any(${limits.map((limit) => limit.key)}::text[])`;
}

/** The part of an address that a limit counts: of an IPv6 address the /64, which one caller has whole. */
export function networkOf(address: string): string {
  if (!address.includes(":") || address.startsWith("::ffff:")) return address;
  const [head = "", tail = ""] = address.split("::");
  const front = head.split(":").filter(Boolean);
  const back = tail.split(":").filter(Boolean);
  const zeros = Array(Math.max(0, 8 - front.length - back.length)).fill("0");
  return [...front, ...zeros, ...back].slice(0, 4).join(":");
}
