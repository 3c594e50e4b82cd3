import type { SqlClient } from "../database/connect.ts";
import { JOBS_CHANNEL } from "./enqueue.ts";
import type { ClaimedJob, Lease } from "./queue.ts";

/** This process no longer holds the lease of the job. */
class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/**
 * A job leased to this process. It aborts itself when the lease expires, for example because the
 * database is unreachable: another process may have claimed the job by then.
 */
export class LeasedJob {
  readonly #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Resolves when this process has finished with the job. */
  completion: Promise<void> = Promise.resolve();

  /** @param since when the claim was sent, by `performance.now()`: the lease started no earlier */
  constructor(
    readonly job: ClaimedJob,
    readonly runner: string,
    leaseSeconds: number,
    since: number,
  ) {
    this.renew(leaseSeconds, since);
  }

  /** Aborted when the handler must stop working on the job. */
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
    const remainingMs = since + leaseSeconds * 1_000 - performance.now();
    this.#timer = setTimeout(() => this.lose(), Math.max(0, remainingMs));
  }

  lose(): void {
    this.#abort.abort(new LeaseLost("The lease is lost."));
  }

  interrupt(): void {
    this.#abort.abort(new Error("The process stops."));
  }

  release(): void {
    clearTimeout(this.#timer);
  }
}

/** Delays vary randomly by up to this fraction, so that jobs that failed together are not retried together. */
const JITTER = 0.25;

const isLeased = (sql: SqlClient, { id, runner, attempt }: Lease) =>
  sql`id = ${id} and locked_by = ${runner} and attempts = ${attempt}`;

/** @returns false if the lease was lost and nothing has changed */
export async function finishJob(sql: SqlClient, lease: Lease): Promise<boolean> {
  const { count } = await sql`delete from jobs where ${isLeased(sql, lease)}`;
  return count > 0;
}

/**
 * Queues a job for another attempt, or marks it as failed after the last one.
 * @param error shown to administrators
 * @param delaySeconds until the next attempt, before jitter; null for no further attempt
 * @returns false if the lease was lost and nothing has changed
 */
export async function failJob(
  sql: SqlClient,
  lease: Lease,
  error: string,
  delaySeconds: number | null,
): Promise<boolean> {
  const seconds = (delaySeconds ?? 0) * (1 + JITTER * (2 * Math.random() - 1));
  const { count } = await sql`
    update jobs set locked_by = null, locked_until = null, last_error = ${error},
      failed_at = case when ${delaySeconds === null} or attempts >= max_attempts
        then clock_timestamp() end,
      run_at = clock_timestamp() + ${seconds}::float8 * interval '1 second'
    where ${isLeased(sql, lease)}`;
  return count > 0;
}

/**
 * Returns a job to the queue as if it had not been claimed, so that another process can claim it
 * immediately.
 */
export async function returnJob(sql: SqlClient, lease: Lease): Promise<void> {
  await sql`
    update jobs set locked_by = null, locked_until = null, attempts = attempts - 1
    where ${isLeased(sql, lease)} returning pg_notify(${JOBS_CHANNEL}, '')`;
}
