import { describeCause, getLogger } from "../log.ts";

const log = getLogger("coalesce");

export type CoalesceOptions = {
  maxItems?: number;
  /** Maximum number of waiting items; `add` rejects more. */
  maxWaiting?: number;
  /** How long the first item waits for others, in milliseconds. */
  delayMs?: number;
  /** Minimum time between the starts of two runs, in milliseconds. */
  intervalMs?: number;
};

/**
 * Coalesces work: at most one run is in flight, and the next one takes all items that arrived in the
 * meantime. When idle, an item runs immediately, together with the others from the same turn of the
 * event loop. An item that is already waiting is not added again.
 */
export class Coalescer<I> {
  readonly #waitingItems = new Set<I>();
  readonly #options: Required<CoalesceOptions>;
  #run: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #startedAt = Number.NEGATIVE_INFINITY;
  #isStopped = false;

  /** @param run must handle its own errors; others are logged and do not stop further runs */
  constructor(
    private readonly run: (items: I[]) => Promise<void>,
    options: CoalesceOptions = {},
  ) {
    const infinity = Number.POSITIVE_INFINITY;
    const defaults = { maxItems: infinity, maxWaiting: infinity, delayMs: 0, intervalMs: 0 };
    this.#options = { ...defaults, ...options };
  }

  /** @returns false if the item was rejected, because too many are waiting or the coalescer is stopped */
  add(item: I): boolean {
    if (this.#isStopped || this.#waitingItems.size >= this.#options.maxWaiting) return false;
    this.#waitingItems.add(item);
    this.#schedule();
    return true;
  }

  /** Runs waiting items without delay; resolves when none are waiting or running. */
  async flush(): Promise<void> {
    while (this.#run || this.#waitingItems.size > 0) {
      this.#run ??= this.#runOnce();
      await this.#run;
    }
  }

  /** Drops waiting items; resolves when the run in flight has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#waitingItems.clear();
    clearTimeout(this.#timer);
    await this.#run;
  }

  #schedule(): void {
    if (this.#run || this.#timer) return;
    const { delayMs, intervalMs } = this.#options;
    const ms = Math.max(delayMs, this.#startedAt + intervalMs - performance.now());
    const run = () => {
      this.#run = this.#runOnce();
    };
    if (ms > 0) this.#timer = setTimeout(run, ms);
    else run();
  }

  async #runOnce(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // Items added in the same turn of the event loop join this run.
    await Promise.resolve();
    this.#startedAt = performance.now();
    const items = [...this.#waitingItems].slice(0, this.#options.maxItems);
    for (const item of items) this.#waitingItems.delete(item);
    try {
      if (items.length > 0) await this.run(items);
    } catch (error) {
      log.error("A coalesced run failed; the next one continues.", { error: describeCause(error) });
    }
    this.#run = null;
    if (this.#waitingItems.size > 0) this.#schedule();
  }
}
