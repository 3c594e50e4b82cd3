import { type Signal, signal } from "@preact/signals";
import type { Clock } from "../connection/clock.ts";
import { Load } from "./load.ts";

type KeyedListDeps<T> = {
  clock: Clock;
  fetch(signal: AbortSignal): Promise<[id: string, item: T][]>;
};

/**
 * A list of what is mine alone, which has no numbers: what was loaded, with what was heard since the
 * request on top. What was heard of an entry outranks the answer to a call that began before.
 */
export class KeyedList<T> {
  /** Null until it is loaded. */
  readonly items: Signal<ReadonlyMap<string, T> | null> = signal(null);
  readonly #load: Load<[string, T][]>;
  /** Since the request; null for an entry that is gone. */
  #heard = new Map<string, T | null>();
  /** How often each entry was heard of. */
  readonly #counts = new Map<string, number>();

  constructor({ clock, fetch }: KeyedListDeps<T>) {
    this.#load = new Load({
      clock,
      fetch: (signal) => {
        this.#heard = new Map();
        return fetch(signal);
      },
      land: (entries) => {
        this.items.value = new Map(entries);
        for (const [id, item] of this.#heard) this.#set(id, item);
      },
    });
  }

  /** Loads it: something may have been missed. */
  load(): void {
    this.#load.restart();
  }

  /** Loads it once more after a request that is under way. */
  ask(): void {
    this.#load.ask();
  }

  /** Ends what is under way, and forgets everything. */
  stop(): void {
    this.#load.cancel();
    this.items.value = null;
    this.#heard.clear();
    this.#counts.clear();
  }

  /** An event has said what an entry is now. */
  hear(id: string, item: T | null): void {
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
    this.#heard.set(id, item);
    this.#set(id, item);
  }

  /**
   * Changes an entry at once, and then to what a call answers; back where the call fails.
   * @param shown what is shown until the answer; undefined for what was before
   * @throws ApiError
   */
  async change(id: string, shown: T | null | undefined, call: Promise<T | null>): Promise<void> {
    const before = this.items.value?.get(id) ?? null;
    const count = this.#counts.get(id);
    const isLatest = () => this.#counts.get(id) === count;
    if (shown !== undefined) this.#set(id, shown);
    try {
      const answer = await call;
      if (isLatest()) this.hear(id, answer);
    } catch (error) {
      if (shown !== undefined && isLatest()) this.#set(id, before);
      throw error;
    }
  }

  #set(id: string, item: T | null): void {
    if (!this.items.value) return;
    const items = new Map(this.items.value);
    if (item === null) items.delete(id);
    else items.set(id, item);
    this.items.value = items;
  }
}
