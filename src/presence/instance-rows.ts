import { Coalescer } from "../platform/coalesce.ts";
import { getLogger } from "../platform/log.ts";

const log = getLogger("presence");

const DELAY_MS = 100;
const RETRY_MS = 1_000;

/**
 * The rows that this instance wants in a table, by their keys, and those that it has written.
 * Changes wait a moment, so that a row that comes and goes again is not written at all.
 */
export class InstanceRows {
  readonly #wanted = new Set<string>();
  readonly #written = new Set<string>();
  readonly #changed = new Coalescer((keys: string[]) => this.#writeRows(keys), {
    delayMs: DELAY_MS,
  });
  /** The table was emptied, and no write has begun since. */
  #isEmptied = false;

  /** @param write adds and removes rows; when it fails they are written again later */
  constructor(private readonly write: (added: string[], removed: string[]) => Promise<void>) {}

  add(key: string): void {
    if (this.#wanted.has(key)) return;
    this.#wanted.add(key);
    this.#changed.add(key);
  }

  remove(key: string): void {
    if (this.#wanted.delete(key)) this.#changed.add(key);
  }

  /** Writes all rows again, after the write in flight: the table was emptied. */
  rewrite(): Promise<void> {
    this.#isEmptied = true;
    for (const key of this.#wanted) this.#changed.add(key);
    return this.#changed.flush();
  }

  /** Writes nothing more; resolves when the write in flight has ended. */
  stop(): Promise<void> {
    return this.#changed.stop();
  }

  async #writeRows(keys: string[]): Promise<void> {
    if (this.#isEmptied) this.#written.clear();
    this.#isEmptied = false;
    const added = keys.filter((key) => this.#wanted.has(key) && !this.#written.has(key));
    const removed = keys.filter((key) => !this.#wanted.has(key) && this.#written.has(key));
    if (added.length + removed.length === 0) return;
    try {
      await this.write(added, removed);
      for (const key of added) this.#written.add(key);
      for (const key of removed) this.#written.delete(key);
    } catch (error) {
      log.warn("Presence could not be written; retrying.", { error: String(error) });
      const retry = () => {
        for (const key of keys) this.#changed.add(key);
      };
      setTimeout(retry, RETRY_MS).unref();
    }
  }
}
