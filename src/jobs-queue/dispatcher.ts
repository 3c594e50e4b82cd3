import { describeCause, getLogger } from "../platform/log.ts";

const log = getLogger("jobs");

/** A lost notification costs at most this much time. */
const SWEEP_MS = 5_000;

export type DispatcherOptions = {
  /** For the log, for example "webhooks". */
  name: string;
  /** The oldest of several instances checks for all. */
  peers: { readonly isLeader: boolean };
  /**
   * Queues the jobs of everything that is due.
   * @returns milliseconds until something may be due next; null if only growth tells
   */
  enqueueDue: () => Promise<number | null>;
  /** The shortest time between two checks, in milliseconds. */
  minIntervalMs: number;
  /** The same, in multiples of what the last check took; 0 if left out. */
  minIntervalTimes?: number;
  /** The longest time between two checks, in milliseconds; 5 s if left out. */
  sweepMs?: number;
};

/**
 * Queues jobs for work that the database shows to be due: when rooms' logs have grown, when something is
 * due by its time, and every few seconds. Posting a message writes nothing for it: the logs say it all.
 * Instances other than the oldest check every few seconds only, in case the oldest has ended.
 *
 * Not a `Coalescer`: its interval depends on how long the last check took, and an earlier plan replaces
 * a later one.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #nextAt = Number.POSITIVE_INFINITY;
  #earliestAt = 0;
  #checking: Promise<void> | null = null;
  #checkAgain = false;
  #isStopped = false;

  /** It first checks when it is woken. */
  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  /** Rooms' logs have grown. */
  noteGrowth(): void {
    if (this.#options.peers.isLeader) this.wake();
  }

  /** Checks soon: something may be due. */
  wake(): void {
    if (this.#checking) this.#checkAgain = true;
    else this.#schedule(0);
  }

  /** Waits for a check that is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#checking;
  }

  #schedule(ms: number): void {
    const now = performance.now();
    const at = Math.max(this.#earliestAt, now + ms);
    if (this.#isStopped || at >= this.#nextAt) return;
    clearTimeout(this.#timer);
    this.#nextAt = at;
    this.#timer = setTimeout(() => {
      this.#checking = this.#check();
    }, at - now);
  }

  async #check(): Promise<void> {
    const { name, peers, enqueueDue, minIntervalMs } = this.#options;
    const { minIntervalTimes = 0, sweepMs = SWEEP_MS } = this.#options;
    this.#nextAt = Number.POSITIVE_INFINITY;
    this.#checkAgain = false;
    const started = performance.now();
    let wait = sweepMs;
    try {
      const next = await enqueueDue();
      if (peers.isLeader && next !== null) wait = Math.max(0, Math.min(sweepMs, next));
    } catch (error) {
      const context = { name, error: describeCause(error) };
      log.warn("Jobs that are due could not be queued; retrying.", context);
    }
    const duration = performance.now() - started;
    const interval = Math.max(minIntervalMs, minIntervalTimes * duration);
    this.#earliestAt = performance.now() + interval;
    this.#checking = null;
    this.#schedule(this.#checkAgain ? 0 : wait);
  }
}
