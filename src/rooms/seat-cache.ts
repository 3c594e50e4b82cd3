import { LRUCache } from "lru-cache";
import type { SeatState } from "./access.ts";

/** A value, and whether it is the same for everyone in the room for as long as the versions hold. */
export type Loaded<V> = { value: V; isShared: boolean };

type Versions = Pick<SeatState, "lastSeq" | "peopleVersion">;
type Entry<V> = { value: V } & Versions;

/**
 * A cache of what members of a room read. A value is used only while the room's number and the people's
 * version are those that the check of the caller's seat has just read, so it is never staler than a read
 * would be, and nothing has to invalidate it.
 */
export class SeatCache<V extends object> {
  readonly #entries: LRUCache<string, Entry<V>>;
  /** Loads under way, by what they are for: one serves everyone who asks meanwhile. */
  readonly #loads = new Map<string, Promise<Loaded<V>>>();

  constructor(maxBytes: number, sizeOf: (value: V) => number) {
    this.#entries = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ value }) => sizeOf(value),
    });
  }

  /** @param load for this caller; its value is cached if it is shared */
  async read(
    key: string,
    { lastSeq, peopleVersion }: Versions,
    load: () => Promise<Loaded<V>>,
  ): Promise<V> {
    const cached = this.#entries.get(key);
    if (cached?.lastSeq === lastSeq && cached.peopleVersion === peopleVersion) return cached.value;
    const loadKey = `${key} ${lastSeq} ${peopleVersion}`;
    const underWay = this.#loads.get(loadKey);
    if (underWay) {
      const { value, isShared } = await underWay;
      return isShared ? value : (await load()).value;
    }
    const loading = load().finally(() => this.#loads.delete(loadKey));
    this.#loads.set(loadKey, loading);
    const { value, isShared } = await loading;
    if (isShared) this.#entries.set(key, { value, lastSeq, peopleVersion });
    return value;
  }
}
