type Waiter = {
  keys: readonly string[];
  weight: number;
  start(): void;
};

export type SemaphoreOptions = {
  /** Permits in all; without a limit if left out. */
  permits?: number;
  /** Permits of one key, whatever is free. */
  maxPerKey?: number;
  /** Calls of `run` that may wait; further ones are rejected. */
  maxWaiting?: number;
  /** How long a call of `run` waits. */
  waitMs?: number;
  /** Creates the error for a call that may not wait, or has waited too long. */
  busyError?: () => Error;
};

/**
 * Limits concurrency, fairly by key (a host, a person): a key may hold as many permits as are still free.
 * One key alone gets half of them, two get a third each, and so on, so a key whose work hangs leaves
 * permits for the next key. Work without a key is only limited by the permits, first come, first served.
 */
export class FairSemaphore {
  readonly #permits = new Map<string, number>();
  #free: number;
  #waiters: Waiter[] = [];
  /** How many wait, by key; null for work without one. */
  readonly #waiting = new Map<string | null, number>();
  readonly #options: Required<Omit<SemaphoreOptions, "waitMs">> & { waitMs: number | null };

  constructor(options: SemaphoreOptions) {
    const unlimited = Number.POSITIVE_INFINITY;
    this.#options = {
      permits: options.permits ?? unlimited,
      maxPerKey: options.maxPerKey ?? unlimited,
      maxWaiting: options.maxWaiting ?? unlimited,
      waitMs: options.waitMs ?? null,
      busyError: options.busyError ?? (() => new Error("Too much work is waiting.")),
    };
    this.#free = this.#options.permits;
  }

  /** @returns whether each key has a free permit, which now is taken */
  tryAcquire(keys: readonly string[], weight = 1): boolean {
    const isFree =
      weight <= this.#free &&
      keys.every((key) => {
        const permits = this.#permits.get(key) ?? 0;
        return permits < this.#free && permits + weight <= this.#options.maxPerKey;
      });
    if (isFree) this.forceAcquire(keys, weight);
    return isFree;
  }

  /** Acquires even beyond the limit, for work that already runs. */
  forceAcquire(keys: readonly string[], weight = 1): void {
    this.#free -= weight;
    for (const key of keys) this.#permits.set(key, (this.#permits.get(key) ?? 0) + weight);
  }

  release(keys: readonly string[], weight = 1): void {
    this.#free += weight;
    for (const key of keys) {
      const permits = (this.#permits.get(key) ?? 0) - weight;
      if (permits > 0) this.#permits.set(key, permits);
      else this.#permits.delete(key);
    }
    this.#startWaiters();
  }

  /**
   * Runs work when its keys have a permit. While a key waits, work of other keys goes first.
   * @param weight how many permits the work takes
   * @throws the error of `busyError`; what the work throws
   */
  async run<T>(keys: readonly string[], work: () => Promise<T>, weight = 1): Promise<T> {
    if (this.#hasWaiter(keys) || !this.tryAcquire(keys, weight)) await this.#wait(keys, weight);
    try {
      return await work();
    } finally {
      this.release(keys, weight);
    }
  }

  #wait(keys: readonly string[], weight: number): Promise<void> {
    const { maxWaiting, waitMs, busyError } = this.#options;
    if (this.#waiters.length >= maxWaiting) return Promise.reject(busyError());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const waiter: Waiter = {
      keys,
      weight,
      start() {
        clearTimeout(timer);
        resolve();
      },
    };
    this.#waiters.push(waiter);
    this.#countWaiter(waiter, 1);
    if (waitMs !== null) {
      timer = setTimeout(() => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        this.#countWaiter(waiter, -1);
        reject(busyError());
        // It may have been the one that the others were behind.
        this.#startWaiters();
      }, waitMs);
    }
    return promise;
  }

  /** Whether the call has to wait behind one with the same key, or without a key as itself. */
  #hasWaiter(keys: readonly string[]): boolean {
    return lanesOf(keys).some((lane) => this.#waiting.has(lane));
  }

  #countWaiter({ keys }: Waiter, change: 1 | -1): void {
    for (const lane of lanesOf(keys)) {
      const count = (this.#waiting.get(lane) ?? 0) + change;
      if (count > 0) this.#waiting.set(lane, count);
      else this.#waiting.delete(lane);
    }
  }

  #startWaiters(): void {
    if (this.#waiters.length === 0 || this.#free <= 0) return;
    const blocked = new Set<string | null>();
    const remaining: Waiter[] = [];
    for (const waiter of this.#waiters) {
      const lanes = lanesOf(waiter.keys);
      const isBehind = lanes.some((lane) => blocked.has(lane));
      if (!isBehind && this.tryAcquire(waiter.keys, waiter.weight)) {
        this.#countWaiter(waiter, -1);
        waiter.start();
      } else {
        for (const lane of lanes) blocked.add(lane);
        remaining.push(waiter);
      }
    }
    this.#waiters = remaining;
  }
}

const KEYLESS = [null];

/** The keys that work waits by; null if it has none. */
function lanesOf(keys: readonly string[]): readonly (string | null)[] {
  return keys.length === 0 ? KEYLESS : keys;
}
