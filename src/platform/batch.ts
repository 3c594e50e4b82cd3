/** Settles one waiting item: with its own result, or with the error it failed with. */
type Waiting<I, O> = {
  item: I;
  resolve(result: O): void;
  reject(error: unknown): void;
};

export type BatchOptions<I> = {
  /** Items in one write. */
  most?: number;
  /**
   * A second write begins beside the first once so many items wait. Fewer are better off together
   * with the next: each write has a price of its own.
   */
  crowd?: number;
  /** Items of one key are never in two writes at a time, so they keep the order in which they came. */
  keyOf?(item: I): string;
};

/**
 * Groups what arrives while a write is in flight into the next write. Idle, an item goes alone and
 * at once; under load batches form by themselves, and one flush to disk serves many.
 */
export class Batch<I, O> {
  #waiting: Waiting<I, O>[] = [];
  #writes = 0;
  readonly #busy = new Set<string>();
  /** All that waited was of keys that are being written: it is looked at again when a write ends. */
  #isHeld = false;
  #idle: (() => void)[] = [];
  readonly #most: number;
  readonly #crowd: number;
  readonly #keyOf: ((item: I) => string) | undefined;

  /** @param write writes all items or, by throwing, none; a result that is an Error fails its item */
  constructor(
    private readonly write: (items: I[]) => Promise<(O | Error)[]>,
    { most = 500, crowd = Number.POSITIVE_INFINITY, keyOf }: BatchOptions<I> = {},
  ) {
    this.#most = most;
    this.#crowd = crowd;
    this.#keyOf = keyOf;
  }

  /** Resolves once the item is durable. */
  add(item: I): Promise<O> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#next();
    });
  }

  /** Resolves when nothing waits and nothing is being written. */
  idle(): Promise<void> {
    if (this.#writes === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #next(): void {
    if (this.#writes > 1 || this.#waiting.length === 0) return;
    if (this.#writes === 1 && (this.#isHeld || this.#waiting.length < this.#crowd)) return;
    const batch = this.#take();
    if (batch.length > 0) void this.#flush(batch);
    else this.#isHeld = true;
  }

  /** The first that wait and whose key is in no write. */
  #take(): Waiting<I, O>[] {
    const keyOf = this.#keyOf;
    if (!keyOf || this.#busy.size === 0) return this.#waiting.splice(0, this.#most);
    const batch: Waiting<I, O>[] = [];
    this.#waiting = this.#waiting.filter((one) => {
      if (batch.length >= this.#most || this.#busy.has(keyOf(one.item))) return true;
      batch.push(one);
      return false;
    });
    return batch;
  }

  async #flush(batch: Waiting<I, O>[]): Promise<void> {
    const keys = this.#keyOf ? new Set(batch.map((one) => this.#keyOf?.(one.item) ?? "")) : null;
    this.#writes += 1;
    for (const key of keys ?? []) this.#busy.add(key);
    try {
      const results = await this.write(batch.map((one) => one.item));
      for (const [i, one] of batch.entries()) settle(one, results[i] as O | Error);
    } catch (error) {
      for (const one of batch) one.reject(error);
    }
    this.#writes -= 1;
    this.#isHeld = false;
    for (const key of keys ?? []) this.#busy.delete(key);
    this.#next();
    if (this.#writes === 0) for (const done of this.#idle.splice(0)) done();
  }
}

function settle<I, O>(one: Waiting<I, O>, result: O | Error): void {
  if (result instanceof Error) one.reject(result);
  else one.resolve(result);
}
