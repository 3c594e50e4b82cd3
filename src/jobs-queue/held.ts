import type { Claimed, Holder } from "./table.ts";

/** Says that a lease has ended, or that another holds the job. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/**
 * A job that this process holds. It loses it by itself when the lease ends without having been made
 * longer, as when the database is away: by then another process may have the job.
 */
export class Held {
  readonly #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Settles when the job is off this process's hands. */
  done: Promise<void> = Promise.resolve();

  /** @param since when the claim was asked for, of `performance.now()`: the lease is no older */
  constructor(
    readonly job: Claimed,
    readonly runner: string,
    leaseSeconds: number,
    since: number,
  ) {
    this.keep(leaseSeconds, since);
  }

  /** Aborted when the job is no longer this process's. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get isLost(): boolean {
    return this.signal.reason instanceof LeaseLost;
  }

  get holder(): Holder {
    return { runner: this.runner, id: this.job.id, attempt: this.job.attempt };
  }

  /** The lease was made longer. @param since when that was asked for, of `performance.now()` */
  keep(leaseSeconds: number, since: number): void {
    clearTimeout(this.#timer);
    const left = since + leaseSeconds * 1_000 - performance.now();
    this.#timer = setTimeout(() => this.lose(), Math.max(0, left));
  }

  lose(): void {
    this.#abort.abort(new LeaseLost("The lease is lost."));
  }

  /** The process stops: the handler must not go on. */
  interrupt(): void {
    this.#abort.abort(new Error("The process stops."));
  }

  release(): void {
    clearTimeout(this.#timer);
  }
}
