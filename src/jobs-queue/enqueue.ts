import { sql } from "drizzle-orm";
import type { Fragment, SqlClient, Query } from "../database/connect.ts";
import type { JobKind, JobPayloads } from "./kinds.ts";

/** Says that a job is due; the payload is empty. */
export const JOBS_CHANNEL = "snug_jobs";

const MAX_ATTEMPTS = 8;

export type NewJob<K extends JobKind> = {
  kind: K;
  payload: JobPayloads[K];
  /** Seconds from now; 0 if left out. */
  inSeconds?: number;
  /**
   * While a job with this key waits or runs, another is not made, and the one that waits keeps its
   * time: what is queued twice is done once. One that failed for good is not in the way.
   */
  key?: string;
  maxAttempts?: number;
};

/**
 * Queues a job in the transaction that causes it: with that it is there, or is not. Runners are
 * woken at the commit if it is due; one for later is found by the time it is due.
 * @returns false if one with the same key waits or runs already
 */
export async function enqueue<K extends JobKind>(tx: Query, job: NewJob<K>): Promise<boolean> {
  const seconds = job.inSeconds ?? 0;
  // Cut, since the column would round: a runner that is woken at once must find it due.
  const rows = await tx.execute(sql`
    insert into jobs (id, kind, payload, unique_key, run_at, max_attempts)
    values (${Bun.randomUUIDv7()}, ${job.kind}, ${JSON.stringify(job.payload)}::jsonb,
      ${job.key ?? null},
      date_trunc('milliseconds', clock_timestamp()) + ${seconds} * interval '1 second',
      ${job.maxAttempts ?? MAX_ATTEMPTS})
    on conflict (unique_key) where failed_at is null do nothing
    returning case when ${seconds}::float8 <= 0 then pg_notify(${JOBS_CHANNEL}, '') end`);
  return rows.length > 0;
}

/** Queues jobs of a kind, due now, with one statement; those whose keys wait or run already are left out. */
export async function enqueueEach<K extends JobKind>(
  hand: SqlClient,
  kind: K,
  jobs: { payload: JobPayloads[K]; key: string }[],
): Promise<void> {
  if (jobs.length === 0) return;
  await hand`
    insert into jobs (id, kind, payload, unique_key, run_at, max_attempts)
    select id, ${kind}::text, payload::jsonb, key,
      date_trunc('milliseconds', clock_timestamp()), ${MAX_ATTEMPTS}::int
    from unnest(
      ${jobs.map(() => Bun.randomUUIDv7())}::uuid[],
      ${jobs.map((job) => JSON.stringify(job.payload))}::text[], ${jobs.map((job) => job.key)}::text[]
    ) as j(id, payload, key)
    on conflict (unique_key) where failed_at is null do nothing
    returning pg_notify(${JOBS_CHANNEL}, '')`;
}

/**
 * Queues many at once, due now, as an `insert` to stand in a CTE of the statement that causes them.
 * @param rows a `select` of each job's id (UUIDv7) and payload (jsonb)
 */
export function enqueueing(hand: SqlClient, kind: JobKind, rows: Fragment): Fragment {
  return hand`
    insert into jobs (id, kind, payload, run_at, max_attempts)
    select id, ${kind}::text, payload, date_trunc('milliseconds', clock_timestamp()),
      ${MAX_ATTEMPTS}::int
    from (${rows}) as new_jobs (id, payload)
    returning pg_notify(${JOBS_CHANNEL}, '')`;
}
