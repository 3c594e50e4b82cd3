import { LRUCache } from "lru-cache";
import type { SeatState } from "./access.ts";

/** A value, and whether it is the same for everyone in the room for as long as the version holds. */
export type Loaded<V> = { value: V; isShared: boolean };

type Entry<V> = { value: V; version: string };

/** The version of what is in a room's log, and of the people in it. */
export function logVersionOf({
  lastSeq,
  peopleVersion,
}: Pick<SeatState, "lastSeq" | "peopleVersion">): string {
  return `${lastSeq} ${peopleVersion}`;
}

/** The version of the list of a room's members. */
export function membersVersionOf({ membersVersion, peopleVersion }: SeatState): string {
  return `${membersVersion} ${peopleVersion}`;
}

/**
 * A cache of what members of a room read. A value is used only while the version is the one that the
 * check of the caller's seat has just read, so it is never staler than a read would be, and nothing has
 * to invalidate it.
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
  async read(key: string, version: string, load: () => Promise<Loaded<V>>): Promise<V> {
    const cached = this.#entries.get(key);
    if (cached?.version === version) return cached.value;
    const loadKey = `${key} ${version}`;
    const underWay = this.#loads.get(loadKey);
    if (underWay) {
      const { value, isShared } = await underWay;
      return isShared ? value : (await load()).value;
    }
    const loading = load().finally(() => this.#loads.delete(loadKey));
    this.#loads.set(loadKey, loading);
    const { value, isShared } = await loading;
    if (isShared) this.#entries.set(key, { value, version });
    return value;
  }
}
