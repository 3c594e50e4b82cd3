/** How long work may keep everything else waiting before others have their turn. */
const SLICE_MS = 4;

let lastTurn: Promise<unknown> = Promise.resolve();

/** Waits for a turn of the event loop that no other work in slices has. */
function takeTurn(): Promise<unknown> {
  lastTurn = lastTurn.then(() => new Promise<void>((resolve) => void setImmediate(resolve)));
  return lastTurn;
}

/** Long work in small steps: every few milliseconds, requests, frames and timers have their turn. */
export class Slices {
  #usedMs = 0;
  #sinceTurn = 0;

  /** How long the steps have taken together, without what others did in between. */
  get usedMs(): number {
    return this.#usedMs;
  }

  /** Does a step, which itself is not interrupted. */
  async run<T>(step: () => T): Promise<T> {
    const started = performance.now();
    try {
      return step();
    } finally {
      const ms = performance.now() - started;
      this.#usedMs += ms;
      this.#sinceTurn += ms;
      if (this.#sinceTurn >= SLICE_MS) {
        this.#sinceTurn = 0;
        await takeTurn();
      }
    }
  }

  /** A step for each item. */
  async map<I, O>(items: Iterable<I>, step: (item: I) => O): Promise<O[]> {
    const results: O[] = [];
    for (const item of items) results.push(await this.run(() => step(item)));
    return results;
  }
}
