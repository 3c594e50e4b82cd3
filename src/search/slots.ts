import { Semaphore, withTimeout } from "async-mutex";
import type { SqlClient } from "../database/connect.ts";
import type { Metrics } from "../platform/metrics.ts";
import { Refusal } from "../platform/refusal.ts";

/** Searches that run at a time in this process: as many as they have connections. */
export const MAX_SEARCHES = 2;
/** How long a search waits for others. */
const WAIT_MS = 1_000;

/** The refusal `search_busy`. */
export function makeBusy(): Refusal {
  const detail = "Too many searches are under way. Try again in a moment.";
  return new Refusal("search_busy", detail, { retryAfter: 1 });
}

/** Searches have connections of their own, so that however many there are, nothing else waits for them. */
export class SearchSlots {
  readonly #slots = withTimeout(new Semaphore(MAX_SEARCHES), WAIT_MS, makeBusy());

  constructor(
    private readonly sql: SqlClient,
    private readonly seconds: Metrics["searchSeconds"],
  ) {}

  /** @throws Refusal `search_busy` after a second of waiting */
  run<T>(search: (sql: SqlClient) => Promise<T>): Promise<T> {
    return this.#slots.runExclusive(async () => {
      const started = performance.now();
      try {
        return await search(this.sql);
      } finally {
        this.seconds.observe((performance.now() - started) / 1_000);
      }
    });
  }
}
