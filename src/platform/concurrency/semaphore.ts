type Waiter = {
  keys: readonly string[];
  weight: number;
  start(): void;
};

type SemaphoreOptions = {
  /** Total number of permits; unlimited by default. */
  permits?: number;
  maxPerKey?: number;
  /** Maximum number of waiting calls of `run`; further ones are rejected. */
  maxWaiting?: number;
  /** Maximum time that a call of `run` waits, in milliseconds. */
  waitMs?: number;
  /** Creates the error for a call that may not wait, or has timed out. */
  busyError?: () => Error;
};

const DEFAULTS = {
  permits: Number.POSITIVE_INFINITY,
  maxPerKey: Number.POSITIVE_INFINITY,
  maxWaiting: Number.POSITIVE_INFINITY,
  busyError: () => new Error("Too much work is waiting."),
};

/**
 * Limits concurrency fairly by key (a host or a person): a key may hold as many permits as are still
 * free. A single key gets half of them, two keys a third each, and so on, so that a key whose work
 * hangs leaves permits for others. Work without a key is only limited by the total, first come, first
 * served.
 */
export class FairSemaphore {
  readonly #permits = new Map<string, number>();
  #free: number;
  #waiters: Waiter[] = [];
  /** The number of waiting calls by key; null for calls without a key. */
  readonly #waitingCounts = new Map<string | null, number>();
  readonly #options: SemaphoreOptions & typeof DEFAULTS;

  constructor(options: SemaphoreOptions) {
    this.#options = { ...DEFAULTS, ...options };
    this.#free = this.#options.permits;
  }

  /** @returns true if each key had a free permit, which is then acquired */
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

  /** Acquires even beyond the limit, for work that is already running. */
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
   * Runs work once its keys have permits. While a key waits, work of other keys goes first.
   * @param weight the number of permits
   * @throws the error of `busyError`; errors of the work
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
    if (waitMs !== undefined) {
      timer = setTimeout(() => {
        this.#waiters = this.#waiters.filter((candidate) => candidate !== waiter);
        this.#countWaiter(waiter, -1);
        reject(busyError());
        // Other calls may have been waiting behind this one.
        this.#startWaiters();
      }, waitMs);
    }
    return promise;
  }

  /** Whether the call has to wait behind another call with the same key, or also without a key. */
  #hasWaiter(keys: readonly string[]): boolean {
    return lanesOf(keys).some((lane) => this.#waitingCounts.has(lane));
  }

  #countWaiter({ keys }: Waiter, change: 1 | -1): void {
    for (const lane of lanesOf(keys)) {
      const count = (this.#waitingCounts.get(lane) ?? 0) + change;
      if (count > 0) this.#waitingCounts.set(lane, count);
      else this.#waitingCounts.delete(lane);
    }
  }

  #startWaiters(): void {
    if (this.#waiters.length === 0 || this.#free <= 0) return;
    const blockedLanes = new Set<string | null>();
    const remaining: Waiter[] = [];
    for (const waiter of this.#waiters) {
      const lanes = lanesOf(waiter.keys);
      const isBehind = lanes.some((lane) => blockedLanes.has(lane));
      if (!isBehind && this.tryAcquire(waiter.keys, waiter.weight)) {
        this.#countWaiter(waiter, -1);
        waiter.start();
      } else {
        for (const lane of lanes) blockedLanes.add(lane);
        remaining.push(waiter);
      }
    }
    this.#waiters = remaining;
  }
}

const KEYLESS = [null];

/** The keys by which a call waits; null for a call without keys. */
function lanesOf(keys: readonly string[]): readonly (string | null)[] {
  return keys.length === 0 ? KEYLESS : keys;
}
