import { ApiError } from "../connection/api.ts";
import type { Clock } from "../connection/clock.ts";

type LoadDeps<T> = {
  clock: Clock;
  fetch(signal: AbortSignal): Promise<T>;
  /** Applies the answer. Events that arrived since the request may be newer than it. */
  land(answer: T): void;
};

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 20_000;

/**
 * Loads one thing repeatedly. At most one request is in flight, and the answer to the newest request
 * wins. A request that fails is retried with backoff until it is answered or cancelled; a refused one is
 * not retried.
 */
export class Load<T> {
  #flight: AbortController | null = null;
  #again = false;
  #failures = 0;
  #cancelRetry: () => void = () => {};

  constructor(private readonly deps: LoadDeps<T>) {}

  /** Whether a request is in flight. */
  get isUnderWay(): boolean {
    return this.#flight !== null;
  }

  /** Loads it; if a request is in flight, once more after that one. */
  ask(): void {
    if (this.#flight) this.#again = true;
    else void this.#run();
  }

  /** Loads it now: a request in flight is given up, because its connection may be gone. */
  restart(): void {
    this.cancel();
    void this.#run();
  }

  cancel(): void {
    this.#cancelRetry();
    this.#flight?.abort();
    this.#flight = null;
    this.#again = false;
    this.#failures = 0;
  }

  async #run(): Promise<void> {
    this.#cancelRetry();
    this.#again = false;
    const flight = new AbortController();
    this.#flight = flight;
    try {
      const answer = await this.deps.fetch(flight.signal);
      if (this.#flight !== flight) return;
      this.#flight = null;
      this.#failures = 0;
      this.deps.land(answer);
    } catch (error) {
      if (this.#flight !== flight) return;
      this.#flight = null;
      if (!mayPass(error)) {
        if (this.#again) void this.#run();
        return;
      }
      const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures++);
      this.#cancelRetry = this.deps.clock.after(wait, () => this.ask());
      return;
    }
    if (this.#again && !this.#flight) void this.#run();
  }
}

/** Whether the same request may be answered later: no answer came, or one that says "not now". */
export function mayPass(error: unknown): boolean {
  return (
    error instanceof ApiError && (error.status === 0 || error.status >= 500 || error.status === 429)
  );
}
