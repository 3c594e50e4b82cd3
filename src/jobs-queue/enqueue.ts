import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Query, Transaction } from "../database/connect.ts";
import { jobs } from "../database/schema.ts";
import { type JobKind, type JobPayloads, maxAttemptsOf } from "./kinds.ts";

/** NOTIFY channel for due jobs; the payload is empty. */
export const JOBS_CHANNEL = "snug_jobs";

export type NewJob<K extends JobKind> = {
  kind: K;
  payload: JobPayloads[K];
  /** At most one job with this key waits or runs. Failed jobs do not count. */
  key?: string;
  /** Seconds until the job is due; 0 by default. */
  inSeconds?: number;
  /** The due time, instead of `inSeconds`. */
  at?: Date;
  maxAttempts?: number;
};

/**
 * What happens to a waiting or running job with the same key:
 * - `keep`: it stays unchanged.
 * - `earlier`: it moves to the new time if that is earlier.
 * - `replace`: it gets the new time and payload. A running job loses its lease: its handler may
 *   continue, but no longer deletes the job.
 * - `newer`: unless it runs, it gets the new payload if the named field is greater. The time stays.
 */
type WithSameKey = "keep" | "earlier" | "replace" | { newer: string };

/**
 * Queues a job in the caller's transaction, so that both are committed or neither. Runners are notified
 * at commit if the job is due now; they find a later one by polling.
 * @returns false if an existing job with the same key was left unchanged
 */
export async function enqueueJob<K extends JobKind>(
  tx: Query,
  job: NewJob<K>,
  withSameKey?: WithSameKey,
): Promise<boolean> {
  return (await enqueueJobs(tx, [job], withSameKey)) > 0;
}

/**
 * Queues many jobs with different keys. They are sorted, so that two processes that queue the same jobs
 * cannot deadlock.
 * @returns the number of jobs that were inserted or changed
 */
export async function enqueueJobs<K extends JobKind>(
  tx: Query,
  jobs: NewJob<K>[],
  withSameKey: WithSameKey = "keep",
): Promise<number> {
  if (jobs.length === 0) return 0;
  const list = (read: (job: NewJob<K>) => unknown) => sql.param(jobs.map(read));
  const rows = await tx.execute(sql`
    insert into jobs (id, kind, payload, unique_key, run_at, max_attempts)
    -- Truncated, because the column rounds up, and the job must be due when a runner is notified.
    select id, kind, payload::jsonb, key, date_trunc('milliseconds',
      coalesce(at::timestamptz, clock_timestamp() + seconds * interval '1 second')), max_attempts
    from unnest(
      ${list(() => Bun.randomUUIDv7())}::uuid[], ${list(({ kind }) => kind)}::text[],
      ${list(({ payload }) => JSON.stringify(payload))}::text[],
      ${list(({ key }) => key ?? null)}::text[],
      ${list(({ inSeconds }) => inSeconds ?? 0)}::float8[],
      ${list(({ at }) => at?.toISOString() ?? null)}::text[],
      ${list(({ kind, maxAttempts }) => maxAttempts ?? maxAttemptsOf(kind))}::int[]
    ) as new_jobs (id, kind, payload, key, seconds, at, max_attempts)
    order by key
    on conflict (unique_key) where failed_at is null ${onConflict(withSameKey)}
    returning case when run_at <= clock_timestamp() then pg_notify(${JOBS_CHANNEL}, '') end`);
  return rows.length;
}

function onConflict(withSameKey: WithSameKey): SQL {
  if (withSameKey === "keep") return sql`do nothing`;
  if (withSameKey === "earlier") {
    return sql`do update set run_at = least(jobs.run_at, excluded.run_at)`;
  }
  if (withSameKey === "replace") {
    return sql`do update set run_at = excluded.run_at, payload = excluded.payload,
      locked_by = null, locked_until = null`;
  }
  return sql`do update set payload = excluded.payload
    where jobs.locked_by is null
      and jobs.payload ->> ${withSameKey.newer}::text < excluded.payload ->> ${withSameKey.newer}::text`;
}

/**
 * The SQL of an insert of jobs, for use as a CTE. A job whose id already exists is skipped.
 * @param rows a `select` of each job's id (UUIDv7) and payload (jsonb)
 * @param inSeconds delay until the jobs are due; runners are notified only without a delay
 */
export function insertJobsText(kind: JobKind, rows: string, inSeconds = 0): string {
  const runAt = `date_trunc('milliseconds', clock_timestamp() + interval '${inSeconds} seconds')`;
  return `
    insert into jobs (id, kind, payload, run_at, max_attempts)
    select id, '${kind}', payload, ${runAt}, ${maxAttemptsOf(kind)}
    from (${rows}) as new_jobs (id, payload)
    on conflict (id) do nothing
    returning case when run_at <= clock_timestamp() then pg_notify('${JOBS_CHANNEL}', '') end`;
}

/** Deletes the job with this key unless it has failed. The handler of a running job may continue. */
export async function cancelJob(tx: Query, key: string): Promise<void> {
  await tx.delete(jobs).where(and(eq(jobs.uniqueKey, key), isNull(jobs.failedAt)));
}

/**
 * Ends the running job from within its handler. The job is due again at the next time, which is read
 * while its row is locked; without a next time it is deleted. A change that queues the job for an
 * earlier time waits for the lock.
 * @param readNext reads the next time in the handler's transaction; null to delete the job
 */
export async function rescheduleJob(
  tx: Transaction,
  { id, attempt }: { id: string; attempt: number },
  readNext: () => Promise<Date | null>,
): Promise<void> {
  // A later attempt, by another process, is left alone.
  const [row] = await tx.execute<{ kind: JobKind }>(
    sql`select kind from jobs where id = ${id} and attempts = ${attempt} for update`,
  );
  if (!row) return;
  const next = await readNext();
  if (!next) {
    await tx.delete(jobs).where(eq(jobs.id, id));
    return;
  }
  // `attempts` is not reset to 0, because the attempt number distinguishes leases.
  await tx.execute(sql`
    update jobs set run_at = ${next.toISOString()}, locked_by = null, locked_until = null,
      max_attempts = attempts + ${maxAttemptsOf(row.kind)}
    where id = ${id}
    returning case when run_at <= clock_timestamp() then pg_notify(${JOBS_CHANNEL}, '') end`);
}
