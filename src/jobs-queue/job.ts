import type { JobKind, JobPayloads } from "./kinds.ts";

/** What a handler gets besides its payload. */
export type JobContext = {
  /** The same for each attempt, so that a receiver can recognize a repeated delivery. */
  id: string;
  /** 1 for the first attempt. */
  attempt: number;
  /** Aborted when the lease is lost, on timeout, or when the process stops. */
  signal: AbortSignal;
  /**
   * Aborted as soon as the process is asked to stop, shortly before `signal`. A handler that works in
   * steps starts no further step.
   */
  stopping: AbortSignal;
};

export type JobHandler<K extends JobKind> = (
  payload: JobPayloads[K],
  context: JobContext,
) => Promise<void>;

export type Job<K extends JobKind> = {
  run: JobHandler<K>;
  /** An attempt that takes longer is aborted and fails; 60 by default. */
  timeoutSeconds?: number;
  /**
   * Maximum number of jobs of this kind that a process runs at a time. By default the kind shares a
   * limit of 8 with others. A kind that waits for the network has a separate limit, so that an
   * unresponsive peer delays no other kind.
   */
  concurrency?: number;
  /** Queues a job of this kind with an empty payload at this interval, once across all instances. */
  everyMinutes?: JobPayloads[K] extends Record<string, never> ? number : never;
};

/** Kinds that only some processes run. Their jobs wait for such a process. */
type OptionalKind = "backup";

export type Jobs = { [K in Exclude<JobKind, OptionalKind>]: Job<K> } & {
  [K in OptionalKind]?: Job<K>;
};

/** Thrown by a handler if no further attempt can succeed. */
export class FatalJobError extends Error {
  override readonly name = "FatalJobError";
}

/** Thrown by a handler to be retried after at least this many seconds. */
export class RetryLaterError extends Error {
  override readonly name = "RetryLaterError";

  constructor(
    message: string,
    readonly seconds: number,
  ) {
    super(message);
  }
}
