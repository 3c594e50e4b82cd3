import { describeCause, getLogger } from "../platform/log.ts";

const log = getLogger("jobs");

/** The longest delay that a lost notification can cause. */
const SWEEP_MS = 5_000;

export type DispatcherOptions = {
  /** The name in log lines, such as "webhooks". */
  name: string;
  /** The oldest instance checks on behalf of all. */
  peers: { readonly isLeader: boolean };
  /**
   * Queues the jobs of everything that is due.
   * @returns milliseconds until the next check; null if only new log entries can make something due
   */
  enqueueDue: () => Promise<number | null>;
  /** Minimum time between two checks, in milliseconds. */
  minIntervalMs: number;
  /** Minimum time between two checks, as a multiple of the last check's duration; 0 by default. */
  minIntervalTimes?: number;
  /** Maximum time between two checks, in milliseconds; 5 s by default. */
  sweepMs?: number;
};

/**
 * Queues jobs for work that is due according to the database: when rooms' logs have grown, at a due
 * time, and every few seconds. Posting a message writes nothing extra, because the logs contain all
 * that is needed. Instances other than the oldest check only every few seconds, in case the oldest has
 * ended.
 *
 * This is not a `Coalescer`, because the interval depends on the duration of the last check, and an
 * earlier timer replaces a later one.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #nextAt = Number.POSITIVE_INFINITY;
  #earliestAt = 0;
  #checkInFlight: Promise<void> | null = null;
  #checkAgain = false;
  #isStopped = false;

  /** Checks for the first time when it is woken. */
  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  /** Call when rooms' logs have grown. */
  onGrowth(): void {
    if (this.#options.peers.isLeader) this.wake();
  }

  /** Checks soon, because something may be due. */
  wake(): void {
    if (this.#checkInFlight) this.#checkAgain = true;
    else this.#schedule(0);
  }

  /** Stops, after a check in progress has finished. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#checkInFlight;
  }

  #schedule(ms: number): void {
    const now = performance.now();
    const at = Math.max(this.#earliestAt, now + ms);
    if (this.#isStopped || at >= this.#nextAt) return;
    clearTimeout(this.#timer);
    this.#nextAt = at;
    this.#timer = setTimeout(() => {
      this.#checkInFlight = this.#check();
    }, at - now);
  }

  async #check(): Promise<void> {
    const { name, peers, enqueueDue, minIntervalMs } = this.#options;
    const { minIntervalTimes = 0, sweepMs = SWEEP_MS } = this.#options;
    this.#nextAt = Number.POSITIVE_INFINITY;
    this.#checkAgain = false;
    const startedAt = performance.now();
    let wait = sweepMs;
    try {
      const next = await enqueueDue();
      if (peers.isLeader && next !== null) wait = Math.max(0, Math.min(sweepMs, next));
    } catch (error) {
      const context = { name, error: describeCause(error) };
      log.warn("Jobs that are due could not be queued; retrying.", context);
    }
    const duration = performance.now() - startedAt;
    const interval = Math.max(minIntervalMs, minIntervalTimes * duration);
    this.#earliestAt = performance.now() + interval;
    this.#checkInFlight = null;
    this.#schedule(this.#checkAgain ? 0 : wait);
  }
}
