import { sql as statement } from "drizzle-orm";
import type { SqlClient, Query } from "../database/connect.ts";
import { decodeIdCursor, page } from "../platform/cursor.ts";
import { Refusal } from "../platform/refusal.ts";
import { JOBS_CHANNEL } from "./enqueue.ts";

export type QueueDepth = {
  waiting: number;
  running: number;
  failed: number;
  /** Seconds since the oldest job that nobody holds was due; 0 if none is. */
  age: number;
};

/** Counts stop here: as many, or more. */
export const MAX_COUNTED = 10_000;

/**
 * How much there is to do, for metrics: counts up to `MAX_COUNTED`, and the age by the first job of
 * each kind. It takes no longer where a million jobs wait.
 */
export async function queueDepth(sql: SqlClient): Promise<QueueDepth> {
  const [row] = await sql<QueueDepth[]>`
    with recursive kinds as (
      (select kind from jobs where locked_by is null and failed_at is null order by kind limit 1)
      union all
      select (select kind from jobs where locked_by is null and failed_at is null
        and kind > kinds.kind order by kind limit 1)
      from kinds where kinds.kind is not null
    )
    select free + ended as waiting, held - ended as running, failed, age from (
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
        count(*) filter (where locked_until <= clock_timestamp())::int as ended
      from jobs where locked_by is not null
    ) h, (
      select count(*)::int as failed from (
        select from jobs where failed_at is not null limit ${MAX_COUNTED}
      ) counted
    ) g`;
  return row ?? { waiting: 0, running: 0, failed: 0, age: 0 };
}

/** Without the payload: it may hold what an administrator has no business to read. */
export type FailedJob = {
  id: string;
  kind: string;
  attempts: number;
  max_attempts: number;
  last_error: string;
  created_at: Date;
  failed_at: Date;
};

/**
 * Jobs whose tries are used up, the last queued first.
 * @throws Refusal `validation` for a cursor that is not one of this list
 */
export async function listFailed(
  sql: SqlClient,
  { cursor, limit }: { cursor?: string; limit: number },
): Promise<{ items: FailedJob[]; next: string | null }> {
  const before = decodeIdCursor(cursor);
  const rows = await sql<FailedJob[]>`
    select id, kind, attempts, max_attempts, last_error, created_at, failed_at from jobs
    where failed_at is not null and (${before}::uuid is null or id < ${before}::uuid)
    order by id desc limit ${limit + 1}`;
  return page(rows, limit, (row) => row.id);
}

/**
 * Gives a failed job all its tries again, now. If another with its key has been queued since, that
 * one is the retry: the failed one goes, and the other is due now.
 * @returns its kind
 * @throws Refusal `not_found` if there is no such failed job
 */
export async function retryFailed(tx: Query, id: string): Promise<string> {
  const rows = await tx.execute(statement`
    with failed as (
      select id, kind, unique_key from jobs where id = ${id} and failed_at is not null for update
    ), other as (
      update jobs set run_at = least(run_at, date_trunc('milliseconds', clock_timestamp()))
      from failed
      where jobs.unique_key = failed.unique_key and jobs.failed_at is null
      returning failed.id
    ), superseded as (
      delete from jobs using other where jobs.id = other.id
    ), retried as (
      update jobs set failed_at = null, attempts = 0,
        run_at = date_trunc('milliseconds', clock_timestamp())
      from failed where jobs.id = failed.id and not exists (select from other)
    )
    select kind, pg_notify(${JOBS_CHANNEL}, '') from failed`);
  const kind = rows[0]?.kind;
  if (typeof kind !== "string") {
    throw new Refusal("not_found", "There is no such failed job.");
  }
  return kind;
}
