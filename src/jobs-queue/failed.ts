import { and, desc, isNotNull, lt, sql } from "drizzle-orm";
import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { Drizzle, Transaction } from "../database/connect.ts";
import { jobs } from "../database/schema.ts";
import { decodeIdCursor, toPage } from "../platform/input/cursor.ts";
import { LARGEST_ID } from "../platform/ids.ts";
import { Refusal } from "../platform/refusal.ts";
import { JOBS_CHANNEL } from "./enqueue.ts";

/** Excludes the payload, which may contain data that administrators must not read. */
const columns = {
  id: jobs.id,
  kind: jobs.kind,
  attempts: jobs.attempts,
  max_attempts: jobs.maxAttempts,
  last_error: sql<string>`${jobs.lastError}`,
  created_at: jobs.createdAt,
  failed_at: sql<Date>`${jobs.failedAt}`.mapWith(jobs.failedAt),
};

/**
 * Lists jobs that have used all attempts, the most recently queued first.
 * @throws Refusal `validation` for an invalid cursor
 */
export async function readFailedJobs(
  db: Drizzle,
  { cursor, limit }: { cursor?: string; limit: number },
) {
  const before = decodeIdCursor(cursor) ?? LARGEST_ID;
  const rows = await db
    .select(columns)
    .from(jobs)
    .where(and(isNotNull(jobs.failedAt), lt(jobs.id, before)))
    .orderBy(desc(jobs.id))
    .limit(limit + 1);
  return toPage(
    rows,
    limit,
    ({ id }) => id,
    ({ created_at, failed_at, ...job }) => ({
      ...job,
      created_at: created_at.toISOString(),
      failed_at: failed_at.toISOString(),
    }),
  );
}

/**
 * Gives a failed job all its attempts again, due now. If another job with its key has been queued
 * since, that job becomes due now and the failed one is deleted.
 * @throws Refusal `not_found` if there is no such failed job
 */
export async function retryFailedJob(
  tx: Transaction,
  actor: AuditActor,
  id: string,
): Promise<{ id: string; kind: string; state: "waiting" }> {
  const now = sql`date_trunc('milliseconds', clock_timestamp())`;
  const [row] = await tx.execute<{ kind: string }>(sql`
    with failed as (
      select id, kind, unique_key from jobs where id = ${id} and failed_at is not null for update
    ), waiting as (
      update jobs set run_at = least(run_at, ${now})
      where unique_key = (select unique_key from failed) and failed_at is null
      returning id
    ), deleted as (
      delete from jobs where id in (select id from failed) and exists (select from waiting)
    ), retried as (
      update jobs set failed_at = null, attempts = 0, run_at = ${now}
      where id in (select id from failed) and not exists (select from waiting)
    )
    select kind, pg_notify(${JOBS_CHANNEL}, '') from failed`);
  if (!row) throw new Refusal("not_found", "There is no such failed job.");
  const { kind } = row;
  await writeAudit(tx, actor, "job.retry", { id, name: kind });
  return { id, kind, state: "waiting" };
}

const KEPT_DAYS = 30;
const MAX_FAILED = 10_000;

/** Deletes failed jobs older than 30 days, and all but the newest 10,000. */
export async function deleteOldFailedJobs(db: Drizzle): Promise<void> {
  await db.execute(sql`
    delete from jobs where failed_at < clock_timestamp() - ${KEPT_DAYS} * interval '1 day'
      or id in (
        select id from jobs where failed_at is not null order by id desc offset ${MAX_FAILED}
      )`);
}
