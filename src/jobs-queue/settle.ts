import { and, eq, sql } from "drizzle-orm";
import type { Drizzle } from "../database/connect.ts";
import { type Params, prepareQuery } from "../database/prepared.ts";
import { jobs } from "../database/schema.ts";
import { JOBS_CHANNEL, type Lease } from "./statements.ts";

/** Delays vary by this part of themselves, so that jobs that failed together do not return together. */
const JITTER = 0.25;

/** The job, if the lease still holds it. */
const isLeased = ({ id, runner, attempt }: Lease | Params<Lease>) =>
  and(eq(jobs.id, id), eq(jobs.lockedBy, runner), eq(jobs.attempts, attempt));

const deleteJob = prepareQuery("finish_job", (db, lease: Params<Lease>) =>
  db.delete(jobs).where(isLeased(lease)).returning({ id: jobs.id }),
);

/** @returns false if the job was no longer leased, and nothing has changed */
export async function finishJob(db: Drizzle, lease: Lease): Promise<boolean> {
  return (await deleteJob(db, lease)).length > 0;
}

/**
 * Queues a job for a retry, or counts it as failed if it is out of attempts.
 * @param error for administrators
 * @param delaySeconds until the next attempt, before jitter; null for no further attempt
 * @returns false if the job was no longer leased, and nothing has changed
 */
export async function failJob(
  db: Drizzle,
  lease: Lease,
  error: string,
  delaySeconds: number | null,
): Promise<boolean> {
  const seconds = (delaySeconds ?? 0) * (1 + JITTER * (2 * Math.random() - 1));
  const rows = await db
    .update(jobs)
    .set({
      lockedBy: null,
      lockedUntil: null,
      lastError: error,
      failedAt: sql`case when ${delaySeconds === null}::boolean or ${jobs.attempts} >= ${jobs.maxAttempts}
        then clock_timestamp() end`,
      runAt: sql`clock_timestamp() + ${seconds}::float8 * interval '1 second'`,
    })
    .where(isLeased(lease))
    .returning({ id: jobs.id });
  return rows.length > 0;
}

/** Returns a job to the queue as if it had not been claimed: another process claims it at once. */
export async function returnJob(db: Drizzle, lease: Lease): Promise<void> {
  await db
    .update(jobs)
    .set({ lockedBy: null, lockedUntil: null, attempts: sql`${jobs.attempts} - 1` })
    .where(isLeased(lease))
    .returning({ notified: sql`pg_notify(${JOBS_CHANNEL}, '')` });
}
