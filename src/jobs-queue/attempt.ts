import { DrizzleQueryError } from "drizzle-orm";
import { untilAborted } from "../platform/wait.ts";
import {
  FatalJobError,
  type Handlers,
  type Handling,
  type JobKind,
  RetryLaterError,
} from "./kinds.ts";
import type { Claimed } from "./table.ts";

/** How a try ended: `aborted` if the job was taken from it, and nothing is known of the work. */
export type Outcome =
  | { type: "done" }
  | { type: "failed"; error: string; delaySeconds: number | null }
  | { type: "aborted" };

const FIRST_DELAY_SECONDS = 5;
const MOST_DELAY_SECONDS = 3_600;
const ERROR_LENGTH = 1_000;

/** Five seconds after the first try, then twice as long each time, an hour at most. */
export function growingDelay(attempt: number): number {
  return Math.min(MOST_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2 ** (attempt - 1));
}

/**
 * Runs a job's handler once. A handler that does not heed its signal is left behind: it may go on,
 * but what becomes of the job is decided without it.
 * @param taken aborted when the job is no longer this process's
 * @param stopping aborted when the process is asked to stop
 */
export async function attempt(
  job: Claimed,
  handlers: Partial<Handlers>,
  timeoutSeconds: number,
  taken: AbortSignal,
  stopping: AbortSignal,
): Promise<Outcome> {
  const handling = handlingOf(handlers, job.kind);
  const late = new AbortController();
  const seconds = handling.timeoutSeconds ?? timeoutSeconds;
  const timer = setTimeout(() => late.abort(new Error("It took too long.")), seconds * 1_000);
  const signal = AbortSignal.any([taken, late.signal]);
  try {
    const context = { id: job.id, attempt: job.attempt, signal, stopping };
    // In a promise, so that a handler that throws before its first await is caught as well.
    const work = Promise.try(() => handling.run(job.payload as never, context));
    await untilAborted(work, signal);
    return { type: "done" };
  } catch (error) {
    if (taken.aborted) return { type: "aborted" };
    const reason = late.signal.aborted ? late.signal.reason : error;
    const delay = handling.delaySeconds ?? growingDelay;
    const least = reason instanceof RetryLaterError ? reason.seconds : 0;
    const delaySeconds =
      reason instanceof FatalJobError ? null : Math.max(least, delay(job.attempt));
    return { type: "failed", error: messageOf(reason), delaySeconds };
  } finally {
    clearTimeout(timer);
  }
}

function handlingOf(handlers: Partial<Handlers>, kind: JobKind): Handling<JobKind> {
  const handler = handlers[kind];
  if (!handler) throw new Error(`No handler for ${kind}.`);
  return (typeof handler === "function" ? { run: handler } : handler) as Handling<JobKind>;
}

/**
 * What an administrator reads about an error: its message, without a stack, and without the
 * statement and its parameters, which drizzle puts into its own.
 */
export function messageOf(error: unknown): string {
  if (error instanceof DrizzleQueryError && error.cause) return messageOf(error.cause);
  const message = error instanceof Error ? error.message : String(error);
  // PostgreSQL keeps no NUL in a text.
  return message.replaceAll("\0", "").slice(0, ERROR_LENGTH);
}
