import { type Signal, signal } from "@preact/signals";
import type { Clock } from "../connection/clock.ts";
import { Load } from "./load.ts";

type KeyedListDeps<T> = {
  clock: Clock;
  fetch(signal: AbortSignal): Promise<[id: string, item: T][]>;
};

/**
 * A list of the reader's own things, which have no numbers: the loaded list, with the events since
 * the request on top. An event about an entry wins over the answer to a call that began before it.
 */
export class KeyedList<T> {
  /** Null until it is loaded. */
  readonly items: Signal<ReadonlyMap<string, T> | null> = signal(null);
  readonly #load: Load<[string, T][]>;
  /** Events since the request, by entry; null for an entry that is gone. */
  #heard = new Map<string, T | null>();
  /** How many events there were about each entry. */
  readonly #counts = new Map<string, number>();
  /** How often the list was requested. */
  #requests = 0;

  constructor({ clock, fetch }: KeyedListDeps<T>) {
    this.#load = new Load({
      clock,
      fetch: (signal) => {
        this.#heard = new Map();
        this.#requests += 1;
        return fetch(signal);
      },
      land: (entries) => {
        this.items.value = new Map(entries);
        for (const [id, item] of this.#heard) this.#set(id, item);
      },
    });
  }

  /** Loads the list: events may have been missed. */
  load(): void {
    this.#load.restart();
  }

  /** Loads it once more after a request that is under way. */
  ask(): void {
    this.#load.ask();
  }

  /** Cancels the request under way, and forgets everything. */
  stop(): void {
    this.#load.cancel();
    this.items.value = null;
    this.#heard.clear();
    this.#counts.clear();
  }

  /** An event has brought an entry's new value. */
  hear(id: string, item: T | null): void {
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
    this.#heard.set(id, item);
    this.#set(id, item);
  }

  /**
   * Changes an entry at once, and then to the answer of a call; restores it if the call fails.
   * @param optimistic the value until the answer; undefined keeps the value from before
   * @throws ApiError
   */
  async change(
    id: string,
    optimistic: T | null | undefined,
    call: Promise<T | null>,
  ): Promise<void> {
    const before = this.items.value?.get(id) ?? null;
    const count = this.#counts.get(id);
    const requests = this.#requests;
    const isLatest = () => this.#counts.get(id) === count;
    if (optimistic !== undefined) this.#set(id, optimistic);
    try {
      const answer = await call;
      if (isLatest()) this.hear(id, answer);
    } catch (error) {
      if (optimistic !== undefined && isLatest()) this.#set(id, before);
      throw error;
    } finally {
      // A list that was requested meanwhile may be newer than the answer: the entry may be gone by now.
      if (this.#requests !== requests) this.#load.ask();
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
