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

  /** The table was emptied: writes all rows again. */
  async rewrite(): Promise<void> {
    if (this.#written.size > 0) await this.write([...this.#written], []);
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
      this.#flushing = this.#flushing.then(() => this.#flush());
    }, waitMs);
  }

  async #flush(): Promise<void> {
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
