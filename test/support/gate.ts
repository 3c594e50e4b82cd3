import { eventually } from "./wait.ts";

type Held = { path: string; release: () => void };

/** Lets a page's requests through, and holds back the answers of some until it is opened. */
export class Gate {
  /** All that was asked for. */
  readonly paths: string[] = [];
  #holds: (path: string) => boolean = () => false;
  #held: Held[] = [];
  #underWay = 0;

  async pass(path: string, send: () => Promise<Response>): Promise<Response> {
    this.paths.push(path);
    this.#underWay += 1;
    try {
      const response = await send();
      // Read to its end: what it says is what was true when it was asked for.
      const text = await response.text();
      if (this.#holds(path)) {
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#held.push({ path, release: resolve });
        await promise;
      }
      const body = response.status === 204 ? null : text;
      return new Response(body, { status: response.status, headers: response.headers });
    } finally {
      this.#underWay -= 1;
    }
  }

  /** Holds back the answers to these from now on. */
  hold(holds: (path: string) => boolean): void {
    this.#holds = holds;
  }

  /** Waits until so many answers are held back. */
  held(count: number): Promise<void> {
    return eventually(() => this.#held.length >= count);
  }

  /** Releases one, the oldest being 0; without a number all of them, and those that follow. */
  open(n?: number): void {
    if (n === undefined) this.#holds = () => false;
    const going = n === undefined ? this.#held.splice(0) : this.#held.splice(n, 1);
    for (const { release } of going) release();
  }

  /** Waits until nothing is under way, and the page has taken every answer. */
  async idle(): Promise<void> {
    do {
      await eventually(() => this.#underWay === 0);
      // An answer is read, and what it leads to is asked for, before the next turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
    } while (this.#underWay > 0);
  }
}
