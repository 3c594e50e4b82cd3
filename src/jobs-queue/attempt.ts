import { DrizzleQueryError } from "drizzle-orm";
import { waitUnlessAborted } from "../platform/wait.ts";
import { FatalJobError, type Job, type Jobs, RetryLaterError } from "./job.ts";
import type { JobKind } from "./kinds.ts";
import type { ClaimedJob } from "./statements.ts";

/** How an attempt ended: `aborted` if the job was taken away, and the state of its work is unknown. */
export type AttemptResult =
  | { type: "done" }
  | { type: "failed"; error: string; delaySeconds: number | null }
  | { type: "aborted" };

const FIRST_DELAY_SECONDS = 5;
const MAX_DELAY_SECONDS = 3_600;
const MAX_ERROR_LENGTH = 1_000;

/** Exponential backoff: five seconds after the first attempt, doubled each time, an hour at most. */
function backoffSeconds(attempt: number): number {
  return Math.min(MAX_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2 ** (attempt - 1));
}

/**
 * Runs a job's handler once. A handler that ignores its signal may go on in the background, but no
 * longer decides what becomes of the job.
 * @param lost aborted when this process no longer holds the job
 * @param stopping aborted when the process is asked to stop
 */
export async function runAttempt(
  claimed: ClaimedJob,
  jobs: Partial<Jobs>,
  timeoutSeconds: number,
  lost: AbortSignal,
  stopping: AbortSignal,
): Promise<AttemptResult> {
  const job = jobs[claimed.kind] as Job<JobKind>;
  const timeout = new AbortController();
  const seconds = job.timeoutSeconds ?? timeoutSeconds;
  const timer = setTimeout(() => timeout.abort(new Error("It took too long.")), seconds * 1_000);
  const signal = AbortSignal.any([lost, timeout.signal]);
  try {
    const context = { id: claimed.id, attempt: claimed.attempt, signal, stopping };
    // In a promise, so that a handler that throws before its first await is caught as well.
    const work = Promise.try(() => job.run(claimed.payload as never, context));
    await waitUnlessAborted(work, signal);
    return { type: "done" };
  } catch (error) {
    if (lost.aborted) return { type: "aborted" };
    const reason = timeout.signal.aborted ? timeout.signal.reason : error;
    const delay = job.retryDelaySeconds ?? backoffSeconds;
    const atLeast = reason instanceof RetryLaterError ? reason.seconds : 0;
    const delaySeconds =
      reason instanceof FatalJobError ? null : Math.max(atLeast, delay(claimed.attempt));
    return { type: "failed", error: describeError(reason), delaySeconds };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * What administrators read about an error: its message without a stack, and without the statement and
 * its parameters, which drizzle adds to its own errors.
 */
export function describeError(error: unknown): string {
  if (error instanceof DrizzleQueryError && error.cause) return describeError(error.cause);
  const message = error instanceof Error ? error.message : String(error);
  // A text of PostgreSQL cannot hold NUL.
  return message.replaceAll("\0", "").slice(0, MAX_ERROR_LENGTH);
}
