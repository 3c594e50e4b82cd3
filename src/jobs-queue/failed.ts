import type { HandSql } from "../database/connect.ts";
import { Refusal } from "../platform/refusal.ts";
import { JOBS_CHANNEL } from "./enqueue.ts";

export type QueueDepth = {
  waiting: number;
  running: number;
  failed: number;
  /** Seconds since the oldest job that nobody holds was due; 0 if none is. */
  age: number;
};

/** How much there is to do, for metrics. */
export async function queueDepth(sql: HandSql): Promise<QueueDepth> {
  const [row] = await sql<QueueDepth[]>`
    with job as (
      select run_at, case when failed_at is not null then 'failed'
        when locked_until > clock_timestamp() then 'running' else 'waiting' end as state
      from jobs
    )
    select count(*) filter (where state = 'waiting')::int as waiting,
      count(*) filter (where state = 'running')::int as running,
      count(*) filter (where state = 'failed')::int as failed,
      coalesce(greatest(0, extract(epoch from clock_timestamp() - min(run_at)
        filter (where state = 'waiting'))), 0)::float8 as age
    from job`;
  return row ?? { waiting: 0, running: 0, failed: 0, age: 0 };
}

export type FailedJob = {
  id: string;
  kind: string;
  attempts: number;
  last_error: string | null;
  failed_at: Date;
};

/** Jobs whose tries are used up, the latest first. */
export function listFailed(sql: HandSql, limit: number): Promise<FailedJob[]> {
  return sql<FailedJob[]>`
    select id, kind, attempts, last_error, failed_at from jobs
    where failed_at is not null order by failed_at desc, id desc limit ${limit}`;
}

/**
 * Gives a failed job all its tries again, now.
 * @throws Refusal `not_found` if there is no such failed job
 */
export async function retryFailed(sql: HandSql, id: string): Promise<void> {
  const rows = await sql`
    with job as (
      update jobs set failed_at = null, attempts = 0, run_at = clock_timestamp()
      where id = ${id} and failed_at is not null returning id
    )
    select pg_notify(${JOBS_CHANNEL}, '') from job`;
  if (rows.length === 0) throw new Refusal("not_found", "There is no such failed job.");
}
