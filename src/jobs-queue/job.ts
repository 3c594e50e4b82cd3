import type { JobKind, JobPayloads } from "./kinds.ts";

/** What a handler gets besides its payload. */
export type JobContext = {
  /** The same in each attempt, so that a receiver can recognize a repeated delivery. */
  id: string;
  /** 1 for the first attempt. */
  attempt: number;
  /** Aborted when the process must not go on: the lease is lost, time is up, or the process stops. */
  signal: AbortSignal;
  /**
   * Aborted as soon as the process is asked to stop, a moment before `signal`: a handler that works
   * in steps begins no further step.
   */
  stopping: AbortSignal;
};

export type JobHandler<K extends JobKind> = (
  payload: JobPayloads[K],
  context: JobContext,
) => Promise<void>;

/** How jobs of one kind are run. */
export type Job<K extends JobKind> = {
  run: JobHandler<K>;
  /** An attempt that takes longer is aborted and has failed; 60 if left out. */
  timeoutSeconds?: number;
  /**
   * Jobs of this kind that a process runs at a time; if left out, the kind shares a limit of 8 with
   * others. A kind that waits for a peer on the network has its own limit, so that a peer that hangs
   * delays nothing else.
   */
  concurrency?: number;
  /** Seconds from the end of this attempt, 1 for the first, to the next; jitter is added. */
  retryDelaySeconds?(attempt: number): number;
  /** Queues a job of this kind, with an empty payload, once in this many minutes on all instances together. */
  everyMinutes?: JobPayloads[K] extends Record<string, never> ? number : never;
};

/** Kinds that only some processes run; a job of such a kind waits for one that does. */
type OptionalKind = "backup";

/** How each kind is run. */
export type Jobs = { [K in Exclude<JobKind, OptionalKind>]: Job<K> } & {
  [K in OptionalKind]?: Job<K>;
};

/** Thrown by a handler when no further attempt can succeed. */
export class FatalJobError extends Error {
  override readonly name = "FatalJobError";
}

/** Thrown by a handler to be retried no sooner than in this many seconds. */
export class RetryLaterError extends Error {
  override readonly name = "RetryLaterError";

  constructor(
    message: string,
    readonly seconds: number,
  ) {
    super(message);
  }
}
