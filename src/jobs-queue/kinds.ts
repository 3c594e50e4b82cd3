/** Every kind of job, with what it is told: a wrong payload does not compile. */
export type JobPayloads = {
  /** Finds out what a message's first URL shows, and tells its room. */
  link_preview: { url: string; messageId: string };
  /** Sends a webhook what is due for it. */
  webhook_events: { hookId: string };
  /** Deletes webhooks' deliveries of long ago. */
  prune_deliveries: Record<string, never>;
  /** Notifies those of a message who do not have its room open, past a subscription if one is named. */
  push: { messageId: string; after?: string };
  /** Tells one of them again, whose push service was not able to. */
  push_retry: { messageId: string; subscriptionId: string };
  /** Mails a signup link. */
  invite_mail: { inviteId: string; tokenId: string };
  /** Mails a link to choose a new password, to whoever has this address. */
  reset_mail: { email: string };
  /** Mails that someone was added to a room. */
  added_mail: { roomId: string; userId: string; byId: string };
  /** Removes the rows of a large room that was deleted. */
  delete_room: { roomId: string };
  /** Deletes what the rooms' logs need not keep any more. */
  prune_log: Record<string, never>;
  /** Deletes previews that have expired and that no message names. */
  prune_previews: Record<string, never>;
  /** Deletes sessions, links, counts and failed jobs that have expired. */
  sweep: Record<string, never>;
  /** Deletes uploads that no message uses, and bytes that nothing names. */
  free_uploads: Record<string, never>;
  /** Removes these bytes, by their SHA-256 in hex, where nothing names them. */
  remove_blobs: { keys: string[] };
};

export type JobKind = keyof JobPayloads;

/** What a handler gets beside its payload. */
export type JobContext = {
  /** The same in each try: what a receiver can know a repeated delivery by. */
  id: string;
  /** 1 for the first try. */
  attempt: number;
  /** Aborted when the job is no longer this process's: its lease is lost, time is up, or it stops. */
  signal: AbortSignal;
  /**
   * Aborted as soon as the process is asked to stop, a moment before `signal`: work that can be
   * continued elsewhere begins nothing more.
   */
  stopping: AbortSignal;
};

export type Handler<K extends JobKind> = (
  payload: JobPayloads[K],
  context: JobContext,
) => Promise<void>;

/** How a kind is run, where it differs from the others. */
export type Handling<K extends JobKind> = {
  run: Handler<K>;
  /** A try that takes longer is aborted, and has failed. */
  timeoutSeconds?: number;
  /**
   * Runs so many at a time in a process, beside all other kinds. Every kind that waits for a peer
   * outside has its own, so that a peer that hangs holds up nothing else.
   */
  concurrency?: number;
  /** From the end of this try, 1 for the first, to the next: some jitter is added. */
  delaySeconds?(attempt: number): number;
};

export type Handlers = { [K in JobKind]: Handler<K> | Handling<K> };

/** Thrown by a handler for what no further try can mend. */
export class FatalJobError extends Error {
  override readonly name = "FatalJobError";
}

/** Thrown by a handler that was told how long to wait: the next try is then at the earliest. */
export class RetryLaterError extends Error {
  override readonly name = "RetryLaterError";

  constructor(
    message: string,
    readonly seconds: number,
  ) {
    super(message);
  }
}
