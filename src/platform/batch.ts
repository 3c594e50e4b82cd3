/** Settles one waiting item: with its own result, or with the error it failed with. */
type Waiting<I, O> = {
  item: I;
  resolve(result: O): void;
  reject(error: unknown): void;
};

/**
 * Groups what arrives while a write is in flight into the next write. Idle, an item goes alone and
 * at once; under load batches form by themselves, and one flush to disk serves many. One write is
 * in flight at a time, so items keep the order in which they came.
 */
export class Batch<I, O> {
  #waiting: Waiting<I, O>[] = [];
  #writing = false;
  #idle: (() => void)[] = [];

  /**
   * @param write writes all items or, by throwing, none; a result that is an Error fails its item
   * @param most items in one write
   */
  constructor(
    private readonly write: (items: I[]) => Promise<(O | Error)[]>,
    private readonly most = 500,
  ) {}

  /** Resolves once the item is durable. */
  add(item: I): Promise<O> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#writing) void this.#drain();
    });
  }

  /** Resolves when nothing waits and nothing is being written. */
  idle(): Promise<void> {
    if (!this.#writing) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  async #drain(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      await this.#flush(this.#waiting.splice(0, this.most));
    }
    this.#writing = false;
    for (const done of this.#idle.splice(0)) done();
  }

  async #flush(batch: Waiting<I, O>[]): Promise<void> {
    try {
      const results = await this.write(batch.map((one) => one.item));
      for (const [i, one] of batch.entries()) settle(one, results[i] as O | Error);
    } catch (error) {
      for (const one of batch) one.reject(error);
    }
  }
}

function settle<I, O>(one: Waiting<I, O>, result: O | Error): void {
  if (result instanceof Error) one.reject(result);
  else one.resolve(result);
}
