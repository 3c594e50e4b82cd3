import type { SqlClient } from "../database/connect.ts";
import type { Jobs } from "./job.ts";
import type { JobKind } from "./kinds.ts";

/** Kinds of jobs that share a concurrency limit. */
export type Pool = { kinds: string[]; concurrency: number };

/** A kind that may be claimed, with its pool and the pool's free slots. */
type FreeKind = { kind: string; pool: number; places: number };

/** Kinds without their own concurrency limit share that of the process. */
export function createPools(jobs: Partial<Jobs>, sharedConcurrency: number): Pool[] {
  const sharedPool: Pool = { kinds: [], concurrency: sharedConcurrency };
  const pools = [sharedPool];
  for (const [kind, { concurrency }] of Object.entries(jobs)) {
    if (concurrency === undefined) sharedPool.kinds.push(kind);
    else pools.push({ kinds: [kind], concurrency });
  }
  return pools.filter(({ kinds }) => kinds.length > 0);
}

/** @param running the kind of each running job */
export function findFreeKinds(pools: Pool[], running: string[]): FreeKind[] {
  return pools.flatMap(({ kinds, concurrency }, pool) => {
    const places = concurrency - running.filter((kind) => kinds.includes(kind)).length;
    return places > 0 ? kinds.map((kind) => ({ kind, pool, places })) : [];
  });
}

/**
 * Hand-written SQL, because drizzle does not support `skip locked` in a lateral join, inserts and
 * updates from `unnest`, or recursive queries.
 *
 * All times come from PostgreSQL, so that a process with a wrong clock neither claims a job early nor
 * holds one too long. Every change of a running job is fenced by runner and attempt: a runner that has
 * lost its lease changes nothing.
 *
 * Conditions use `statement_timestamp()`, because an index cannot serve `clock_timestamp()`: each query
 * would read every job that is queued for later.
 */

export type ClaimedJob = { id: string; kind: JobKind; payload: unknown; attempt: number };
/** The runner's claim on a job. */
export type Lease = { runner: string; id: string; attempt: number };

/** Returns jobs with an expired lease to the queue; marks them as failed after the last attempt. */
export async function expireLeases(sql: SqlClient): Promise<void> {
  await sql`
    update jobs set locked_by = null, locked_until = null,
      last_error = 'The process that ran it did not finish it.',
      failed_at = case when attempts >= max_attempts then clock_timestamp() end
    where id = any(array(
      select id from jobs where locked_by is not null and locked_until < statement_timestamp()
      for update skip locked
    ))`;
}

/**
 * Claims due jobs, the oldest of each pool first, and increments their attempts. Each kind is read
 * separately, so that a long queue of one kind does not slow down the others.
 * @param free the kinds that may be claimed, each with its pool and the pool's free slots
 */
export function claimJobs(
  sql: SqlClient,
  runner: string,
  free: FreeKind[],
  leaseSeconds: number,
): Promise<ClaimedJob[]> {
  // An array is evaluated once; with a join to the subquery, the limit might apply per row.
  return sql<ClaimedJob[]>`
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
    returning id, kind, payload, attempts as attempt`;
}

/**
 * Returns the seconds until the next job is due or a lease expires, 0 or less if overdue; null if there
 * is none.
 */
export async function readSecondsToNext(sql: SqlClient, kinds: string[]): Promise<number | null> {
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

/** @returns the ids of the jobs whose lease was renewed; the other leases are lost */
export async function renewLeases(
  sql: SqlClient,
  runner: string,
  leases: Lease[],
  leaseSeconds: number,
): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    update jobs set locked_until = clock_timestamp() + ${leaseSeconds}::float8 * interval '1 second'
    from unnest(${leases.map(({ id }) => id)}::uuid[], ${leases.map((lease) => lease.attempt)}::int[])
      as l(leased_id, attempt)
    where id = leased_id and locked_by = ${runner} and attempts = attempt
    returning id`;
  return new Set(rows.map((row) => row.id));
}

export type QueueDepth = {
  waiting: number;
  running: number;
  failed: number;
  /** Seconds since the oldest waiting job was due; 0 if none is due. */
  age: number;
};

/** Counting stops here. */
export const MAX_COUNTED = 10_000;

/**
 * Reads the size of the queue for metrics. Counts stop at `MAX_COUNTED`, and the age is that of each
 * kind's first job, so that a million jobs take no longer.
 */
export async function readQueueDepth(sql: SqlClient): Promise<QueueDepth> {
  const [row] = await sql<QueueDepth[]>`
    with recursive kinds as (
      (select kind from jobs where locked_by is null and failed_at is null order by kind limit 1)
      union all
      select (select kind from jobs where locked_by is null and failed_at is null
        and kind > kinds.kind order by kind limit 1)
      from kinds where kinds.kind is not null
    )
    select free + expired as waiting, held - expired as running, failed, age from (
      select count(*)::int as free from (
        select from jobs where locked_by is null and failed_at is null limit ${MAX_COUNTED}
      ) counted
    ) f, (
      select coalesce(greatest(0, extract(epoch from clock_timestamp() - min(first.run_at))), 0)::float8
        as age
      from kinds cross join lateral (
        select run_at from jobs
        where locked_by is null and failed_at is null and kind = kinds.kind order by run_at limit 1
      ) first
    ) a, (
      select count(*)::int as held,
        count(*) filter (where locked_until <= clock_timestamp())::int as expired
      from jobs where locked_by is not null
    ) h, (
      select count(*)::int as failed from (
        select from jobs where failed_at is not null limit ${MAX_COUNTED}
      ) counted
    ) g`;
  return row ?? { waiting: 0, running: 0, failed: 0, age: 0 };
}
