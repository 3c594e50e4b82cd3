/**
 * A limited number of places, shared fairly: a key (a host, a person) may hold as many places as are
 * still free. One key alone gets half of them, two get a third each, and so on: whatever hangs, the
 * next key gets a place. For work that can wait, see `SharedLimit`.
 */
export class Shares {
  readonly #taken = new Map<string, number>();
  #free: number;

  constructor(capacity: number) {
    this.#free = capacity;
  }

  /** @returns true if a place was taken, for each of the keys */
  tryTake(keys: readonly string[]): boolean {
    if (keys.some((key) => (this.#taken.get(key) ?? 0) >= this.#free)) return false;
    this.take(keys);
    return true;
  }

  /** Takes a place even past the limit, for work that is known to run already. */
  take(keys: readonly string[]): void {
    this.#free -= 1;
    for (const key of keys) this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1);
  }

  release(keys: readonly string[]): void {
    this.#free += 1;
    for (const key of keys) {
      const left = (this.#taken.get(key) ?? 0) - 1;
      if (left > 0) this.#taken.set(key, left);
      else this.#taken.delete(key);
    }
  }
}

type Waiting = { key: string; begin(): void };

/**
 * Runs work of many keys with limited concurrency, of which each key gets its share. While one key
 * waits for its share, work of other keys goes first.
 */
export class SharedLimit {
  readonly #shares: Shares;
  #waiting: Waiting[] = [];

  constructor(concurrency: number) {
    this.#shares = new Shares(concurrency);
  }

  /** Runs the work when its key has a place. The caller limits how much waits. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (!this.#shares.tryTake([key])) {
      await new Promise<void>((begin) => this.#waiting.push({ key, begin }));
    }
    try {
      return await work();
    } finally {
      this.#shares.release([key]);
      this.#beginNext();
    }
  }

  #beginNext(): void {
    const full = new Set<string>();
    this.#waiting = this.#waiting.filter(({ key, begin }) => {
      if (full.has(key) || !this.#shares.tryTake([key])) {
        full.add(key);
        return true;
      }
      begin();
      return false;
    });
  }
}
