/** Every kind of job, with what it is told: a wrong payload does not compile. */
export type JobPayloads = {
  /** Deletes what the rooms' logs need not keep any more. */
  prune_log: Record<string, never>;
  /** Deletes sessions, links and counts that have expired. */
  sweep: Record<string, never>;
};

export type JobKind = keyof JobPayloads;

/** What a handler gets beside its payload. */
export type JobContext = {
  /** 1 for the first try. */
  attempt: number;
  /** Aborted when the job is no longer this process's: its lease is lost, time is up, or it stops. */
  signal: AbortSignal;
};

export type Handler<K extends JobKind> = (
  payload: JobPayloads[K],
  context: JobContext,
) => Promise<void>;
export type Handlers = { [K in JobKind]: Handler<K> };

/** Thrown by a handler for what no further try can mend. */
export class FatalJobError extends Error {
  override readonly name = "FatalJobError";
}
