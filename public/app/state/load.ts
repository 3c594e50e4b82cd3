import type { ServerEvent } from "../../../src/wire/events.ts";
import { ApiError } from "../connection/api.ts";
import type { Clock } from "../connection/clock.ts";

/** Collects events during each request in flight, because its response may not include them. */
export class Journal {
  readonly #lists = new Set<ServerEvent[]>();

  record(event: ServerEvent): void {
    for (const events of this.#lists) events.push(event);
  }

  /** @param request receives the events that arrive while it is in flight */
  async collect<T>(request: (events: readonly ServerEvent[]) => Promise<T>): Promise<T> {
    const events: ServerEvent[] = [];
    this.#lists.add(events);
    try {
      return await request(events);
    } finally {
      this.#lists.delete(events);
    }
  }
}

type LoadDeps<T> = {
  clock: Clock;
  /** If set, `merge` receives the events since the request. */
  journal?: Journal;
  fetch(signal: AbortSignal): Promise<T>;
  /**
   * Absent if the call itself merges the response.
   * @param events since the request: they may be newer than the response
   */
  merge?(response: T, events: readonly ServerEvent[]): void;
};

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 20_000;

/**
 * Loads a resource repeatedly. At most one request is in flight, and the response to the newest
 * request wins. A request that fails is retried with backoff until it succeeds or is cancelled; a
 * refused one is not retried.
 */
export class Load<T> {
  #flight: AbortController | null = null;
  #again = false;
  #failures = 0;
  #cancelRetry: () => void = () => {};
  readonly #journal: Journal;

  constructor(private readonly deps: LoadDeps<T>) {
    this.#journal = deps.journal ?? new Journal();
  }

  get isUnderWay(): boolean {
    return this.#flight !== null;
  }

  /** Starts a request, or another one after the request in flight. */
  refresh(): void {
    if (this.#flight) this.#again = true;
    else void this.#run();
  }

  /** Repeats a failed request now instead of after the backoff. */
  retry(): void {
    if (this.#failures > 0 && !this.#flight) void this.#run();
  }

  /**
   * Starts a request at once, and abandons the one in flight, because its connection may be gone.
   */
  refreshNow(): void {
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
      await this.#journal.collect(async (events) => {
        const response = await this.deps.fetch(flight.signal);
        if (this.#flight !== flight) return;
        this.#flight = null;
        this.#failures = 0;
        this.deps.merge?.(response, events);
      });
    } catch (error) {
      if (this.#flight !== flight) return;
      this.#flight = null;
      if (!isRetryable(error)) {
        if (this.#again) void this.#run();
        return;
      }
      const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures++);
      this.#cancelRetry = this.deps.clock.after(wait, () => this.refresh());
      return;
    }
    if (this.#again && !this.#flight) void this.#run();
  }
}

/** Whether the same request may succeed later: it got no response, or a temporary refusal. */
export function isRetryable(error: unknown): boolean {
  return (
    error instanceof ApiError && (error.status === 0 || error.status >= 500 || error.status === 429)
  );
}
