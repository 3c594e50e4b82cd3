import { describeCause, getLogger } from "../log.ts";

const log = getLogger("coalesce");

export type CoalesceOptions = {
  /** Items in one run. */
  maxItems?: number;
  /** Items that may wait; `add` refuses more. */
  maxWaiting?: number;
  /** How long the first item waits for others. */
  delayMs?: number;
  /** The shortest time between the starts of two runs. */
  intervalMs?: number;
};

/**
 * Coalesces work: one run at most is in flight, and the next takes everything that arrived meanwhile.
 * Idle, an item runs at once, together with the others of its turn of the event loop. An item that
 * waits already is not added twice.
 */
export class Coalescer<I> {
  readonly #waiting = new Set<I>();
  readonly #options: Required<CoalesceOptions>;
  #running: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #startedAt = Number.NEGATIVE_INFINITY;
  #isStopped = false;

  /** @param run handles its own errors; one that escapes is logged, and the next run goes on */
  constructor(
    private readonly run: (items: I[]) => Promise<void>,
    options: CoalesceOptions = {},
  ) {
    const unbounded = Number.POSITIVE_INFINITY;
    const defaults = { maxItems: unbounded, maxWaiting: unbounded, delayMs: 0, intervalMs: 0 };
    this.#options = { ...defaults, ...options };
  }

  /** @returns false if it was refused: too many wait, or the coalescer is stopped */
  add(item: I): boolean {
    if (this.#isStopped || this.#waiting.size >= this.#options.maxWaiting) return false;
    this.#waiting.add(item);
    this.#schedule();
    return true;
  }

  /** Runs what waits, without a delay; resolves when nothing waits or runs. */
  async flush(): Promise<void> {
    while (this.#running || this.#waiting.size > 0) {
      this.#start();
      await this.#running;
    }
  }

  /** Drops what waits; resolves when the run in flight has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#waiting.clear();
    clearTimeout(this.#timer);
    await this.#running;
  }

  #schedule(): void {
    if (this.#running || this.#timer) return;
    const { delayMs, intervalMs } = this.#options;
    const ms = Math.max(delayMs, this.#startedAt + intervalMs - performance.now());
    if (ms > 0) this.#timer = setTimeout(() => this.#start(), ms);
    else this.#start();
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running ??= this.#runOnce();
  }

  async #runOnce(): Promise<void> {
    // Items that are added in the same turn of the event loop join this run.
    await Promise.resolve();
    this.#startedAt = performance.now();
    const items = [...this.#waiting].slice(0, this.#options.maxItems);
    for (const item of items) this.#waiting.delete(item);
    try {
      if (items.length > 0) await this.run(items);
    } catch (error) {
      log.error("A coalesced run failed; the next one goes on.", { error: describeCause(error) });
    }
    this.#running = null;
    if (this.#waiting.size > 0) this.#schedule();
  }
}
