import { DrizzleQueryError } from "drizzle-orm";
import type { Database } from "../database/connect.ts";
import { isUnavailable } from "../database/errors.ts";
import { Coalescer } from "../platform/concurrency/coalesce.ts";
import { waitUnlessAborted } from "../platform/concurrency/timeout.ts";
import { getLogger } from "../platform/log.ts";
import { FatalJobError, type Job, type Jobs, RetryLaterError } from "./job.ts";
import type { JobKind } from "./kinds.ts";
import { failJob, finishJob, LeasedJob, returnJob } from "./lease.ts";
import {
  type ClaimedJob,
  claimJobs,
  createPools,
  expireLeases,
  findFreeKinds,
  type Pool,
  readSecondsToNext,
  renewLeases,
} from "./queue.ts";

const log = getLogger("jobs");

/** Minimum wait: another process may be claiming the due jobs right now. */
const MIN_POLL_MS = 20;
/** Time between attempts while the database is unavailable. */
const OUTAGE_RETRY_MS = 500;

export type RunnerOptions = {
  database: Pick<Database, "sql">;
  /** The id of this process. */
  runner: string;
  jobs: Partial<Jobs>;
  /** Called after each attempt whose lease this process kept until its end. */
  onAttempt?(kind: JobKind, result: "done" | "failed", ms: number): void;
  /** The concurrency limit shared by kinds without their own. */
  concurrency?: number;
  leaseSeconds?: number;
  /** The timeout of kinds without their own. */
  timeoutSeconds?: number;
  /** Maximum time between two polls; 2 s by default. A job queued for later does not notify runners. */
  pollSeconds?: number;
};

const POLL_SECONDS = 2;
const DEFAULTS = { concurrency: 8, leaseSeconds: 30, timeoutSeconds: 60 };

/**
 * Runs due jobs with limited concurrency. Delivery is at least once: a job whose process dies is
 * claimed by another process when its lease expires. Handlers must be idempotent and check their
 * preconditions again.
 */
export class Runner {
  readonly #options: RunnerOptions & typeof DEFAULTS;
  readonly #leases = new Set<LeasedJob>();
  readonly #pools: Pool[];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #renewal: ReturnType<typeof setInterval> | undefined;
  readonly #polls = new Coalescer(() => this.#poll());
  readonly #stop = new AbortController();

  constructor(options: RunnerOptions) {
    this.#options = { ...DEFAULTS, ...options };
    // Kinds that this version does not know are left to newer processes.
    this.#pools = createPools(options.jobs, this.#options.concurrency);
  }

  start(): void {
    const everyMs = (this.#options.leaseSeconds * 1_000) / 3;
    this.#renewal = setInterval(() => void this.#renew().catch(warn), everyMs);
    this.wake();
  }

  /** Polls now, or again after a poll in progress, because a job may be due. */
  wake(): void {
    this.#polls.add("poll");
  }

  /**
   * Claims no further jobs, and returns unfinished ones to the queue.
   * @param graceMs how long running handlers may continue before they are aborted
   */
  async stop(graceMs = 0): Promise<void> {
    this.#stop.abort(new Error("The process stops."));
    clearTimeout(this.#timer);
    await this.#polls.stop();
    const timer = setTimeout(() => {
      for (const leasedJob of this.#leases) leasedJob.interrupt();
    }, graceMs);
    await Promise.all([...this.#leases].map((leasedJob) => leasedJob.completion));
    clearTimeout(timer);
    clearInterval(this.#renewal);
  }

  get #isStopping(): boolean {
    return this.#stop.signal.aborted;
  }

  async #poll(): Promise<void> {
    clearTimeout(this.#timer);
    const { sql } = this.#options.database;
    let waitMs = (this.#options.pollSeconds ?? POLL_SECONDS) * 1_000;
    try {
      await expireLeases(sql);
      await this.#claim();
      // Without a free slot, the end of a job triggers the next poll.
      const free = this.#findFreeKinds().map(({ kind }) => kind);
      const next = free.length === 0 ? null : await readSecondsToNext(sql, free);
      if (next !== null) waitMs = Math.min(waitMs, Math.max(MIN_POLL_MS, next * 1_000));
    } catch (error) {
      warn(error);
      waitMs = Math.min(waitMs, OUTAGE_RETRY_MS);
    }
    if (!this.#isStopping) this.#timer = setTimeout(() => this.wake(), waitMs);
  }

  async #claim(): Promise<void> {
    const { database, runner, leaseSeconds } = this.#options;
    const free = this.#findFreeKinds();
    if (free.length === 0) return;
    const since = performance.now();
    const claimedJobs = await claimJobs(database.sql, runner, free, leaseSeconds);
    for (const job of claimedJobs) this.#begin(new LeasedJob(job, runner, leaseSeconds, since));
  }

  #findFreeKinds() {
    return findFreeKinds(
      this.#pools,
      [...this.#leases].map(({ job }) => job.kind),
    );
  }

  #begin(leasedJob: LeasedJob): void {
    this.#leases.add(leasedJob);
    // The process was asked to stop while it claimed the job, so the handler is not called.
    if (this.#isStopping) leasedJob.interrupt();
    leasedJob.completion = this.#run(leasedJob)
      .catch(warn)
      .finally(() => {
        leasedJob.release();
        this.#leases.delete(leasedJob);
        this.wake();
      });
  }

  async #run(leasedJob: LeasedJob): Promise<void> {
    const { jobs, timeoutSeconds, onAttempt } = this.#options;
    const { job, signal } = leasedJob;
    const startedAt = performance.now();
    const result: AttemptResult = signal.aborted
      ? { type: "aborted" }
      : await runAttempt(job, jobs, timeoutSeconds, signal, this.#stop.signal);
    const ms = performance.now() - startedAt;
    if (result.type === "failed") {
      const { id, kind, attempt } = job;
      log.warn("A job failed.", { kind, job_id: id, attempt, error: result.error });
    }
    const isSettled = await this.#settle(leasedJob, result);
    if (isSettled && result.type !== "aborted") onAttempt?.(job.kind, result.type, ms);
  }

  /**
   * Records the result of an attempt. Retries while the lease lasts, so that a short outage of the
   * database does not cause finished work to be repeated.
   * @returns false if the job was no longer leased to this process
   */
  async #settle(leasedJob: LeasedJob, result: AttemptResult): Promise<boolean> {
    const { sql } = this.#options.database;
    const { lease } = leasedJob;
    for (;;) {
      if (leasedJob.isLost) return false;
      try {
        if (result.type === "done") return await finishJob(sql, lease);
        if (result.type === "failed") {
          return await failJob(sql, lease, result.error, result.delaySeconds);
        }
        await returnJob(sql, lease);
        return true;
      } catch (error) {
        warn(error);
        // The database rejects the update, or the process is stopping. The lease will expire.
        if (leasedJob.signal.aborted || !isUnavailable(error)) return false;
        await Bun.sleep(OUTAGE_RETRY_MS);
      }
    }
  }

  /** Renews all leases. A job whose lease could not be renewed is lost, and its handler is aborted. */
  async #renew(): Promise<void> {
    const { database, runner, leaseSeconds } = this.#options;
    const leasedJobs = [...this.#leases];
    if (leasedJobs.length === 0) return;
    const since = performance.now();
    const leases = leasedJobs.map(({ lease }) => lease);
    const renewedIds = await renewLeases(database.sql, runner, leases, leaseSeconds);
    for (const leasedJob of leasedJobs) {
      if (!this.#leases.has(leasedJob)) continue;
      if (renewedIds.has(leasedJob.job.id)) leasedJob.renew(leaseSeconds, since);
      else leasedJob.lose();
    }
  }
}

function warn(error: unknown): void {
  log.warn("The job queue could not be read or written; retrying.", {
    error: describeError(error),
  });
}

/** How an attempt ended. `aborted`: the lease was lost, so whether the work was done is unknown. */
type AttemptResult =
  | { type: "done" }
  | { type: "failed"; error: string; delaySeconds: number | null }
  | { type: "aborted" };

const FIRST_DELAY_SECONDS = 5;
const MAX_DELAY_SECONDS = 3_600;
const MAX_ERROR_LENGTH = 1_000;

/** Exponential backoff: 5 s after the first attempt, doubled each time, at most an hour. */
function backoffSeconds(attempt: number): number {
  return Math.min(MAX_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2 ** (attempt - 1));
}

/**
 * Runs a job's handler once. A handler that ignores its signal may continue in the background, but its
 * result is discarded.
 * @param leaseLost aborted when this process loses the lease
 * @param stopping aborted when the process is asked to stop
 */
async function runAttempt(
  claimedJob: ClaimedJob,
  jobs: Partial<Jobs>,
  timeoutSeconds: number,
  leaseLost: AbortSignal,
  stopping: AbortSignal,
): Promise<AttemptResult> {
  const job = jobs[claimedJob.kind] as Job<JobKind>;
  const timeout = new AbortController();
  const seconds = job.timeoutSeconds ?? timeoutSeconds;
  const timer = setTimeout(() => timeout.abort(new Error("It took too long.")), seconds * 1_000);
  const signal = AbortSignal.any([leaseLost, timeout.signal]);
  try {
    const context = { id: claimedJob.id, attempt: claimedJob.attempt, signal, stopping };
    // Promise.try also catches what a handler throws before its first await.
    const work = Promise.try(() => job.run(claimedJob.payload as never, context));
    await waitUnlessAborted(work, signal);
    return { type: "done" };
  } catch (error) {
    if (leaseLost.aborted) return { type: "aborted" };
    const reason = timeout.signal.aborted ? timeout.signal.reason : error;
    const minSeconds = reason instanceof RetryLaterError ? reason.seconds : 0;
    const delaySeconds =
      reason instanceof FatalJobError
        ? null
        : Math.max(minSeconds, backoffSeconds(claimedJob.attempt));
    return { type: "failed", error: describeError(reason), delaySeconds };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Describes an error for administrators: its message without the stack, and without the SQL and
 * parameters that drizzle adds.
 */
function describeError(error: unknown): string {
  if (error instanceof DrizzleQueryError && error.cause) return describeError(error.cause);
  const message = error instanceof Error ? error.message : String(error);
  // PostgreSQL's text type cannot store NUL.
  return message.replaceAll("\0", "").slice(0, MAX_ERROR_LENGTH);
}
