import { and, eq, isNull, sql } from "drizzle-orm";
import type { Query, Transaction } from "../database/connect.ts";
import { jobs } from "../database/schema.ts";
import { type JobKind, type JobPayloads, maxAttemptsOf } from "./kinds.ts";
import { JOBS_CHANNEL } from "./statements.ts";

type TimedJob<K extends JobKind> = {
  kind: K;
  payload: JobPayloads[K];
  key: string;
  at: Date;
  /** A job with this key that is earlier keeps its time. */
  keepsEarlier?: boolean;
};

/**
 * Queues a job for a time, or moves the one with its key there. One that runs at this moment loses its
 * lease: it may go on, but its end no longer deletes the job. Runners find it by polling.
 */
export async function setTimedJob<K extends JobKind>(
  tx: Query,
  { kind, payload, key, at, keepsEarlier = false }: TimedJob<K>,
): Promise<void> {
  const runAt = sql`date_trunc('milliseconds', ${at.toISOString()}::timestamptz)`;
  await tx
    .insert(jobs)
    .values({
      ...{ id: Bun.randomUUIDv7(), kind, payload, uniqueKey: key },
      ...{ runAt, maxAttempts: maxAttemptsOf(kind) },
    })
    .onConflictDoUpdate({
      target: jobs.uniqueKey,
      targetWhere: sql`failed_at is null`,
      set: keepsEarlier
        ? { runAt: sql`least(${jobs.runAt}, excluded.run_at)` }
        : { runAt: sql`excluded.run_at`, payload, lockedBy: null, lockedUntil: null },
    })
    .returning({
      notified: sql`case when run_at <= clock_timestamp() then pg_notify(${JOBS_CHANNEL}, '') end`,
    });
}

/** Removes the job with a key, if it has not failed. One that runs may go on. */
export async function cancelJob(tx: Query, key: string): Promise<void> {
  await tx.delete(jobs).where(and(eq(jobs.uniqueKey, key), isNull(jobs.failedAt)));
}

/**
 * Ends a running job in its own handler: it runs again at the next time that is read under the lock of
 * its row, or is gone where there is none. A change that queues it for an earlier time waits for
 * the lock, and finds it waiting or gone.
 * @param readNext its time in the handler's transaction; null for never again
 */
export async function rescheduleJob(
  tx: Transaction,
  { id, attempt }: { id: string; attempt: number },
  readNext: () => Promise<Date | null>,
): Promise<void> {
  // A later attempt, of another process, is left alone.
  const isThis = and(eq(jobs.id, id), eq(jobs.attempts, attempt));
  const [row] = await tx.select({ kind: jobs.kind }).from(jobs).where(isThis).for("update");
  if (!row) return;
  const next = await readNext();
  if (!next) {
    await tx.delete(jobs).where(isThis);
    return;
  }
  const more = maxAttemptsOf(row.kind as JobKind);
  await tx
    .update(jobs)
    .set({
      runAt: next,
      ...{ lockedBy: null, lockedUntil: null },
      // The attempt does not return to 0, because its number distinguishes an earlier lease from a
      // later one.
      maxAttempts: sql`${jobs.attempts} + ${more}`,
    })
    .where(isThis)
    .returning({
      notified: sql`case when run_at <= clock_timestamp() then pg_notify(${JOBS_CHANNEL}, '') end`,
    });
}
