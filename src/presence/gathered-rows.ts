import { getLogger } from "../platform/log.ts";

const log = getLogger("presence");

const GATHER_MS = 100;
const AGAIN_MS = 1_000;

/**
 * Rows of this instance in a table, as what they should be and what was written of them. Changes are
 * gathered for a moment, so that what comes and goes again at once is not written at all.
 */
export class GatheredRows {
  readonly #wanted = new Set<string>();
  readonly #written = new Set<string>();
  #changed = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #stopped = false;
  #isQueued = false;
  /** The table was emptied, and no flush has begun since. */
  #isEmptied = false;
  #flushing: Promise<void> = Promise.resolve();

  /**
   * @param write adds and removes rows by their keys; what it could not write is tried again
   */
  constructor(private readonly write: (added: string[], removed: string[]) => Promise<void>) {}

  add(key: string): void {
    if (this.#wanted.has(key)) return;
    this.#wanted.add(key);
    this.#change(key);
  }

  remove(key: string): void {
    if (this.#wanted.delete(key)) this.#change(key);
  }

  /** The table was emptied: writes all rows again, once what is being written has been. */
  rewrite(): Promise<void> {
    this.#isEmptied = true;
    return this.#queueFlush();
  }

  /** Writes nothing more; resolves when what is being written is. */
  stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    return this.#flushing;
  }

  #change(key: string, waitMs = GATHER_MS): void {
    this.#changed.add(key);
    if (this.#stopped) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.#queueFlush();
    }, waitMs);
  }

  /** One flush at most waits for the one that runs: it writes all that changed until it begins. */
  #queueFlush(): Promise<void> {
    if (!this.#isQueued) {
      this.#isQueued = true;
      this.#flushing = this.#flushing.then(() => this.#flush());
    }
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    this.#isQueued = false;
    if (this.#isEmptied && !this.#stopped) {
      this.#isEmptied = false;
      this.#written.clear();
      for (const key of this.#wanted) this.#changed.add(key);
    }
    const keys = [...this.#changed];
    this.#changed = new Set();
    const added = keys.filter((key) => this.#wanted.has(key) && !this.#written.has(key));
    const removed = keys.filter((key) => !this.#wanted.has(key) && this.#written.has(key));
    if (added.length + removed.length === 0) return;
    try {
      await this.write(added, removed);
      for (const key of added) this.#written.add(key);
      for (const key of removed) this.#written.delete(key);
    } catch (error) {
      log.warn("Presence could not be written.", { error: String(error) });
      for (const key of keys) this.#change(key, AGAIN_MS);
    }
  }
}
