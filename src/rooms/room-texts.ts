import { LRUCache } from "lru-cache";
import type { SqlClient } from "../database/connect.ts";
import { type Need, refusalFor } from "./access.ts";
import { type RoomHead, type RoomVersions, readSeatRooms } from "./read-statements.ts";
import { toMyRoom } from "./read.ts";

const MAX_BYTES = 16 * 1024 * 1024;
/** Of a cached text, beside its characters. */
const ENTRY_BYTES = 200;

type Entry = { versions: string; text: string };

/**
 * A cache of rooms as their viewers see them, as the text that goes out. A text is used only while its
 * rows have the versions that the list has just read, so it is never staler than a read would be.
 * Whatever `MyRoom` shows must therefore update one of those rows when it changes.
 */
export class RoomTexts {
  readonly #entries = new LRUCache<string, Entry>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ text }) => text.length + ENTRY_BYTES,
  });

  constructor(readonly sql: SqlClient) {}

  /**
   * @returns the JSON of a `MyRoom` for each of these rooms, in their order, less those that the viewer
   * has lost in the meantime; those that are not cached are read with one statement
   */
  async read(viewerId: string, need: Need, heads: RoomHead[]): Promise<string[]> {
    const found = new Map<string, string>();
    const missing: string[] = [];
    for (const head of heads) {
      const entry = this.#entries.get(keyOf(viewerId, head.id));
      if (entry?.versions === versionsOf(head)) found.set(head.id, entry.text);
      else missing.push(head.id);
    }
    if (missing.length > 0) await this.#load(viewerId, need, missing, found);
    return heads.flatMap(({ id }) => found.get(id) ?? []);
  }

  async #load(viewerId: string, need: Need, roomIds: string[], found: Map<string, string>) {
    const keys = roomIds.map((roomId) => ({ userId: viewerId, roomId }));
    for (const row of await readSeatRooms(this.sql, keys)) {
      if (!row || refusalFor(row, row.role, need)) continue;
      const text = JSON.stringify(toMyRoom(row));
      this.#entries.set(keyOf(viewerId, row.id), { versions: versionsOf(row), text });
      found.set(row.id, text);
    }
  }
}

function keyOf(viewerId: string, roomId: string): string {
  return `${viewerId} ${roomId}`;
}

function versionsOf({ room_version, membership_version, people_version }: RoomVersions): string {
  return `${room_version} ${membership_version} ${people_version}`;
}
