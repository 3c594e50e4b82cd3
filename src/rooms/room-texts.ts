import { LRUCache } from "lru-cache";
import type { SqlClient } from "../database/connect.ts";
import { MAX_ROOMS_AT_ONCE } from "../wire/limits.ts";
import { type Need, refusalFor } from "./access.ts";
import { toMyRoom } from "./read.ts";
import { type RoomHead, readSeatRooms } from "./read-statements.ts";

const MAX_BYTES = 16 * 1024 * 1024;
/** The memory of a cached text, besides its characters. */
const ENTRY_BYTES = 250;

type Entry = { versions: string; text: string };
/** One viewer's rooms, by id. */
type Entries = ReadonlyMap<string, Entry>;
const NONE: Entries = new Map();

/**
 * A cache of rooms as their viewers see them, as the text that goes out. A text is used only while its
 * rows have the versions that the list has just read, so it is never staler than a read would be.
 * Whatever `MyRoom` shows must therefore update one of those rows when it changes.
 */
export class RoomTexts {
  readonly #viewers = new LRUCache<string, Entries>({
    maxSize: MAX_BYTES,
    sizeCalculation: (entries) =>
      entries.values().reduce((sum, { text }) => sum + text.length + ENTRY_BYTES, ENTRY_BYTES),
  });

  /** @param hidesPins the texts are for tokens that may not read messages */
  constructor(
    readonly sql: SqlClient,
    readonly hidesPins = false,
  ) {}

  /**
   * @returns the JSON of a `MyRoom` for each of these rooms, in their order, less those that the viewer
   * has lost in the meantime; those that are not cached are read with one statement
   */
  async read(viewerId: string, need: Need, heads: RoomHead[]): Promise<string[]> {
    const cached = this.#viewers.get(viewerId) ?? NONE;
    const isFresh = ({ id, versions }: RoomHead) => cached.get(id)?.versions === versions;
    const missing = heads.filter((head) => !isFresh(head));
    if (missing.length === 0) return heads.map(({ id }) => cached.get(id)?.text ?? "");
    const loaded = await this.#load(viewerId, need, missing);
    return heads.flatMap((head) => (isFresh(head) ? cached : loaded).get(head.id)?.text ?? []);
  }

  async #load(viewerId: string, need: Need, heads: RoomHead[]): Promise<Entries> {
    const keys = heads.map(({ id }) => ({ userId: viewerId, roomId: id }));
    const loaded = new Map<string, Entry>();
    for (const row of await readSeatRooms(this.sql, keys)) {
      if (!row || refusalFor(row, row.role, need)) continue;
      const room = toMyRoom(row);
      const text = JSON.stringify(this.hidesPins ? { ...room, newest_pin: null } : room);
      loaded.set(row.id, { versions: row.versions, text });
    }
    // Rooms that the viewer has left are dropped with the others once there are too many.
    const known = this.#viewers.get(viewerId) ?? NONE;
    const kept = known.size > 2 * MAX_ROOMS_AT_ONCE ? NONE : known;
    this.#viewers.set(viewerId, new Map([...kept, ...loaded]));
    return loaded;
  }
}
