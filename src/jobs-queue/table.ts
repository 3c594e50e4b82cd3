import type { SqlClient } from "../database/connect.ts";
import { JOBS_CHANNEL } from "./enqueue.ts";
import type { JobKind } from "./kinds.ts";
import type { FreeKind } from "./pools.ts";

/**
 * The table's statements. All times are PostgreSQL's: a process whose clock is wrong, or goes
 * backwards, takes no job early and keeps none longer. Every change of a job that runs is fenced by
 * its holder and its attempt: one that lost its lease changes nothing.
 *
 * Rows are found by `statement_timestamp()`, because an index is of no use to a condition with
 * `clock_timestamp()`: each look would read every job that is queued for later.
 */

export type Claimed = {
  id: string;
  kind: JobKind;
  payload: unknown;
  attempt: number;
  max_attempts: number;
};
export type Holder = { runner: string; id: string; attempt: number };

/** Delays differ by so much of themselves, so that what failed together does not return together. */
const JITTER = 0.25;

/**
 * Takes leases that have ended from their holders. Their jobs wait again at once; one whose last
 * try it was is among the failed.
 */
export async function expire(sql: SqlClient): Promise<void> {
  await sql`
    update jobs set locked_by = null, locked_until = null,
      last_error = 'The process that ran it did not end it.',
      failed_at = case when attempts >= max_attempts then clock_timestamp() end
    where id = any(array(
      select id from jobs where locked_by is not null and locked_until < statement_timestamp()
      for update skip locked
    ))`;
}

/**
 * Takes due jobs, of each pool the oldest first, and counts the try. Each kind is read by itself, so
 * that however many jobs of one kind wait, the others are found without passing over them.
 * @param free the kinds that may be taken, each with its pool and the places free in that
 */
export function claim(sql: SqlClient, runner: string, free: FreeKind[], leaseSeconds: number) {
  // An array, which is read once: joined to a subquery, the limit may be read once a row.
  return sql<Claimed[]>`
    update jobs set attempts = attempts + 1, locked_by = ${runner},
      locked_until = clock_timestamp() + ${leaseSeconds}::float8 * interval '1 second'
    where id = any(array(
      select id from (
        select due.id, f.places, row_number() over (partition by f.pool order by due.run_at) as n
        from unnest(
          ${free.map(({ kind }) => kind)}::text[], ${free.map(({ pool }) => pool)}::int[],
          ${free.map(({ places }) => places)}::int[]
        ) as f(kind, pool, places)
        cross join lateral (
          select id, run_at from jobs
          where locked_by is null and failed_at is null and run_at <= statement_timestamp()
            and kind = f.kind
          order by run_at limit f.places for update skip locked
        ) due
      ) d where n <= places
    ))
    returning id, kind, payload, attempts as attempt, max_attempts`;
}

/** Seconds until the next job is due or a lease ends, 0 or less if one is; null if there is none. */
export async function secondsToNext(sql: SqlClient, kinds: string[]): Promise<number | null> {
  const [row] = await sql<{ seconds: number | null }[]>`
    select extract(epoch from least(
      (select min(due.run_at) from unnest(${kinds}::text[]) as k(kind)
        cross join lateral (
          select run_at from jobs where locked_by is null and failed_at is null and kind = k.kind
          order by run_at limit 1
        ) due),
      (select min(locked_until) from jobs where locked_by is not null)
    ) - clock_timestamp())::float8 as seconds`;
  return row?.seconds ?? null;
}

/** @returns the ids of the jobs whose leases were made longer; the others are lost */
export async function renew(sql: SqlClient, runner: string, held: Holder[], leaseSeconds: number) {
  const rows = await sql<{ id: string }[]>`
    update jobs set locked_until = clock_timestamp() + ${leaseSeconds}::float8 * interval '1 second'
    from unnest(${held.map((job) => job.id)}::uuid[], ${held.map((job) => job.attempt)}::int[])
      as h(held_id, attempt)
    where id = held_id and locked_by = ${runner} and attempts = attempt
    returning id`;
  return new Set(rows.map((row) => row.id));
}

/** @returns false if the job was no longer the holder's */
export async function finish(sql: SqlClient, { runner, id, attempt }: Holder): Promise<boolean> {
  const rows = await sql`delete from jobs
    where id = ${id} and locked_by = ${runner} and attempts = ${attempt} returning id`;
  return rows.length > 0;
}

/**
 * Puts a job that failed back for later, or among the failed when its tries are used up.
 * @param error the message, for administrators
 * @param delaySeconds until the next try, more or less; null if there is to be none
 * @returns false if the job was no longer the holder's
 */
export async function fail(
  sql: SqlClient,
  { runner, id, attempt }: Holder,
  error: string,
  delaySeconds: number | null,
): Promise<boolean> {
  const rows = await sql`
    update jobs set locked_by = null, locked_until = null, last_error = ${error},
      failed_at = case when ${delaySeconds === null} or attempts >= max_attempts
        then clock_timestamp() end,
      run_at = clock_timestamp() + interval '1 second' * ${delaySeconds ?? 0}::float8
        * (1 + ${JITTER}::float8 * (2 * random() - 1))
    where id = ${id} and locked_by = ${runner} and attempts = ${attempt} returning id`;
  return rows.length > 0;
}

/** Gives a job back as if it had not been taken: another takes it at once. */
export async function giveBack(sql: SqlClient, { runner, id, attempt }: Holder): Promise<void> {
  await sql`
    with given as (
      update jobs set locked_by = null, locked_until = null, attempts = attempts - 1
      where id = ${id} and locked_by = ${runner} and attempts = ${attempt} returning id
    )
    select pg_notify(${JOBS_CHANNEL}, '') from given`;
}
