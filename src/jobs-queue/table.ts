import type { HandSql } from "../database/connect.ts";
import { JOBS_CHANNEL } from "./enqueue.ts";
import type { JobKind } from "./kinds.ts";

/**
 * The table's statements. All times are PostgreSQL's: a process whose clock is wrong, or goes
 * backwards, takes no job early and keeps none longer. Every change of a job that runs is fenced by
 * its holder and its attempt: one that lost its lease changes nothing.
 */

export type Claimed = {
  id: string;
  kind: JobKind;
  payload: unknown;
  attempt: number;
  max_attempts: number;
};
type Holder = { runner: string; id: string; attempt: number };

/** First try again after so many seconds, doubled for each further one, at most the second number. */
const BACKOFF_SECONDS = [5, 3_600] as const;

/** Takes due jobs that nobody holds, the oldest first. */
export function claim(
  sql: HandSql,
  runner: string,
  kinds: string[],
  most: number,
  leaseSeconds: number,
) {
  return sql<Claimed[]>`
    update jobs set attempts = attempts + 1, locked_by = ${runner},
      locked_until = clock_timestamp() + ${leaseSeconds}::float8 * interval '1 second'
    where id in (
      select id from jobs
      where failed_at is null and run_at <= clock_timestamp() and kind = any(${kinds}::text[])
        and (locked_until is null or locked_until < clock_timestamp())
        and attempts < max_attempts
      order by run_at limit ${most} for update skip locked
    )
    returning id, kind, payload, attempts as attempt, max_attempts`;
}

/** Seconds until the next job is due or a lease ends; null if there is none. */
export async function secondsToNext(sql: HandSql, kinds: string[]): Promise<number | null> {
  const [row] = await sql<{ seconds: number | null }[]>`
    select extract(epoch from
      min(greatest(run_at, locked_until)) - clock_timestamp())::float8 as seconds
    from jobs where failed_at is null and kind = any(${kinds}::text[])`;
  return row?.seconds ?? null;
}

/** @returns the ids of the jobs whose leases were made longer; the others are lost */
export async function renew(sql: HandSql, runner: string, held: Holder[], leaseSeconds: number) {
  const rows = await sql<{ id: string }[]>`
    update jobs set locked_until = clock_timestamp() + ${leaseSeconds}::float8 * interval '1 second'
    from unnest(${held.map((job) => job.id)}::uuid[], ${held.map((job) => job.attempt)}::int[])
      as h(held_id, attempt)
    where id = held_id and locked_by = ${runner} and attempts = attempt
    returning id`;
  return new Set(rows.map((row) => row.id));
}

/** @returns false if the job was no longer the holder's */
export async function finish(sql: HandSql, { runner, id, attempt }: Holder): Promise<boolean> {
  const rows = await sql`delete from jobs
    where id = ${id} and locked_by = ${runner} and attempts = ${attempt} returning id`;
  return rows.length > 0;
}

/**
 * Puts a job that failed back for later, or among the failed when its tries are used up.
 * @param error the message, for administrators
 */
export async function fail(
  sql: HandSql,
  { runner, id, attempt }: Holder,
  error: string,
  fatal: boolean,
) {
  const [base, most] = BACKOFF_SECONDS;
  await sql`
    update jobs set locked_by = null, locked_until = null, last_error = ${error},
      failed_at = case when ${fatal} or attempts >= max_attempts then clock_timestamp() end,
      run_at = clock_timestamp() + interval '1 second' *
        least(${most}::float8, ${base}::float8 * 2 ^ (attempts - 1)) * (0.75 + random() / 2)
    where id = ${id} and locked_by = ${runner} and attempts = ${attempt}`;
}

/** Gives a job back as if it had not been taken: another takes it at once. */
export async function giveBack(sql: HandSql, { runner, id, attempt }: Holder): Promise<void> {
  await sql`
    with given as (
      update jobs set locked_by = null, locked_until = null, attempts = attempts - 1
      where id = ${id} and locked_by = ${runner} and attempts = ${attempt} returning id
    )
    select pg_notify(${JOBS_CHANNEL}, '') from given`;
}

/** Jobs whose last try ended with their process stay among the failed. */
export async function buryLost(sql: HandSql): Promise<void> {
  await sql`
    update jobs set failed_at = clock_timestamp(), locked_by = null, locked_until = null,
      last_error = coalesce(last_error, 'The process ended while the job ran.')
    where failed_at is null and attempts >= max_attempts and locked_until < clock_timestamp()`;
}
