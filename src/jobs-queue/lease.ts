import type { ClaimedJob, Lease } from "./statements.ts";

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
