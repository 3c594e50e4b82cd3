import { and, eq, sql } from "drizzle-orm";
import type { Drizzle, Query } from "../database/connect.ts";
import { jobs } from "../database/schema.ts";
import { JOBS_CHANNEL } from "./enqueue.ts";
import type { ClaimedJob, Lease } from "./queue.ts";

/** This process no longer holds the job. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/**
 * A job that this process holds. It gives the job up by itself when the lease expires, as when the
 * database is out of reach: by then another process may have claimed the job.
 */
export class LeasedJob {
  readonly #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Settles when this process is finished with the job. */
  done: Promise<void> = Promise.resolve();

  /** @param since when the claim was sent, by `performance.now()`: the lease began no earlier */
  constructor(
    readonly job: ClaimedJob,
    readonly runner: string,
    leaseSeconds: number,
    since: number,
  ) {
    this.renew(leaseSeconds, since);
  }

  /** Aborted when this process must not go on with the job. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get isLost(): boolean {
    return this.signal.reason instanceof LeaseLost;
  }

  get lease(): Lease {
    return { runner: this.runner, id: this.job.id, attempt: this.job.attempt };
  }

  /** @param since when the renewal was sent, by `performance.now()` */
  renew(leaseSeconds: number, since: number): void {
    clearTimeout(this.#timer);
    const left = since + leaseSeconds * 1_000 - performance.now();
    this.#timer = setTimeout(() => this.lose(), Math.max(0, left));
  }

  lose(): void {
    this.#abort.abort(new LeaseLost("The lease is lost."));
  }

  /** Aborts the handler because the process stops. */
  interrupt(): void {
    this.#abort.abort(new Error("The process stops."));
  }

  /** Stops the timer of the lease. */
  release(): void {
    clearTimeout(this.#timer);
  }
}

/** Delays vary by this part of themselves, so that jobs that failed together do not return together. */
const JITTER = 0.25;

/** The job, if the lease still holds it. */
const isLeased = ({ id, runner, attempt }: Lease) =>
  and(eq(jobs.id, id), eq(jobs.lockedBy, runner), eq(jobs.attempts, attempt));

const deleteJob = (db: Query, lease: Lease) =>
  db.delete(jobs).where(isLeased(lease)).returning({ id: jobs.id });

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
