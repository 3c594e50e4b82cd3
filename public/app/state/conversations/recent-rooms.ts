import { storeIfSpace, type KeyValue } from "../../connection/storage.ts";
import type { MyRoom } from "../../../../src/wire/models.ts";

const KEY = "snug.recent-rooms";
const MAX_ROOMS = 30;

/** The ids of the rooms that were opened most recently in this browser, the newest first. */
export function recentRooms(storage: KeyValue): string[] {
  try {
    const list: unknown = JSON.parse(storage.getItem(KEY) ?? "[]");
    return Array.isArray(list) ? list.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}

export function addRecentRoom(storage: KeyValue, roomId: string): void {
  const others = recentRooms(storage).filter((id) => id !== roomId);
  storeIfSpace(storage, KEY, JSON.stringify([roomId, ...others].slice(0, MAX_ROOMS)));
}

/**
 * The room to open if the address names none: the most recently open one; otherwise a room without
 * unread messages, because opening it marks nothing as read, preferably a default room. Archived
 * rooms come last.
 * @param last the name of the room that was last open in this browser
 * @returns null if there is no room
 */
export function chooseFirstRoom(rooms: MyRoom[], last: string | null): MyRoom | null {
  const rank = ({ name, is_archived, is_default, membership }: MyRoom) => {
    if (name === last) return 0;
    if (is_archived) return 5;
    // Muted rooms count too, although they show nothing new.
    if (membership?.unread) return membership.mention_count > 0 ? 4 : 3;
    return is_default ? 1 : 2;
  };
  const byRank = (a: MyRoom, b: MyRoom) => rank(a) - rank(b) || a.name.localeCompare(b.name);
  return rooms.toSorted(byRank)[0] ?? null;
}
