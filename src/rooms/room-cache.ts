import { LRUCache } from "lru-cache";
import type { RoomState } from "./access.ts";

/** A value, and whether every member of the room may be shown it until the version changes. */
export type Loaded<V> = { value: V; isShared: boolean };

type Entry<V> = { value: V; version: string };

/** A version that changes with the room's log and with what others see of people. */
export function logVersionOf({
  lastSeq,
  peopleVersion,
}: Pick<RoomState, "lastSeq" | "peopleVersion">): string {
  return `${lastSeq} ${peopleVersion}`;
}

/**
 * A cache of what members of a room read. An entry is valid while its version is the one that the check of
 * the caller's membership has just read.
 */
export class RoomCache<V extends object> {
  readonly #entries: LRUCache<string, Entry<V>>;
  /** Loads in progress, by key and version: concurrent callers share them. */
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
    const pending = this.#loads.get(loadKey);
    if (pending) {
      const { value, isShared } = await pending;
      return isShared ? value : (await load()).value;
    }
    const loading = load().finally(() => this.#loads.delete(loadKey));
    this.#loads.set(loadKey, loading);
    const { value, isShared } = await loading;
    if (isShared) this.#entries.set(key, { value, version });
    return value;
  }
}
