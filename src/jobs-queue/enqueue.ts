import { sql } from "drizzle-orm";
import type { Query } from "../database/connect.ts";
import { jobs } from "../database/schema.ts";
import { type JobKind, type JobPayloads, maxAttemptsOf } from "./kinds.ts";
import { JOBS_CHANNEL } from "./statements.ts";

export type NewJob<K extends JobKind> = {
  kind: K;
  payload: JobPayloads[K];
  /** Seconds from now; 0 if left out. */
  inSeconds?: number;
  /**
   * While a job with this key waits or runs, no other is queued and the waiting one keeps its time.
   * A failed job does not count.
   */
  key?: string;
  maxAttempts?: number;
};

/**
 * Queues a job in the transaction that causes it: both are committed, or neither. Runners are notified
 * at the commit if the job is due; they find one for later by polling.
 * @returns false if a job with the same key waits or runs already
 */
export async function enqueueJob<K extends JobKind>(tx: Query, job: NewJob<K>): Promise<boolean> {
  const { kind, payload, inSeconds = 0, key = null, maxAttempts = maxAttemptsOf(kind) } = job;
  const rows = await tx
    .insert(jobs)
    .values({
      id: Bun.randomUUIDv7(),
      kind,
      payload,
      uniqueKey: key,
      // Truncated, since the column would round up, and a runner must find the job due when notified.
      runAt: sql`date_trunc('milliseconds', clock_timestamp())
        + ${inSeconds}::float8 * interval '1 second'`,
      maxAttempts,
    })
    .onConflictDoNothing({ target: jobs.uniqueKey, where: sql`failed_at is null` })
    .returning({
      notified: sql`case when run_at <= clock_timestamp() then pg_notify(${JOBS_CHANNEL}, '') end`,
    });
  return rows.length > 0;
}
