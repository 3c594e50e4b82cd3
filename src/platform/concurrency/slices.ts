/** Maximum time that work may block the event loop before it yields. */
const SLICE_MS = 4;

let lastTurn: Promise<unknown> = Promise.resolve();

/** Waits for a turn of the event loop that no other sliced work uses. */
function takeTurn(): Promise<unknown> {
  lastTurn = lastTurn.then(() => new Promise<void>((resolve) => void setImmediate(resolve)));
  return lastTurn;
}

/** Splits long work into small steps and yields every few milliseconds to requests, frames and timers. */
export class Slices {
  #usedMs = 0;
  #sinceTurn = 0;

  /** The total duration of the steps in milliseconds, excluding the time between them. */
  get usedMs(): number {
    return this.#usedMs;
  }

  /** Runs one step, which is not interrupted. */
  async run<T>(step: () => T): Promise<T> {
    const startedAt = performance.now();
    try {
      return step();
    } finally {
      const ms = performance.now() - startedAt;
      this.#usedMs += ms;
      this.#sinceTurn += ms;
      if (this.#sinceTurn >= SLICE_MS) {
        this.#sinceTurn = 0;
        await takeTurn();
      }
    }
  }

  async map<I, O>(items: Iterable<I>, step: (item: I) => O): Promise<O[]> {
    const results: O[] = [];
    for (const item of items) results.push(await this.run(() => step(item)));
    return results;
  }
}
