import { keepIfSpace, type KeyValue } from "../../connection/storage.ts";
import type { MyRoom } from "../../../../src/wire/models.ts";
import { readNews } from "../model/unread.ts";

/** The rooms that were opened last, the latest first. */
const KEY = "snug.recent-rooms";
const MAX_ROOMS = 30;

/** The ids of the rooms that were opened last in this browser, the last first. */
export function recentRooms(storage: KeyValue): string[] {
  try {
    const list: unknown = JSON.parse(storage.getItem(KEY) ?? "[]");
    return Array.isArray(list) ? list.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}

/** Notes that a room was opened. */
export function keepRecent(storage: KeyValue, roomId: string): void {
  const others = recentRooms(storage).filter((id) => id !== roomId);
  keepIfSpace(storage, KEY, JSON.stringify([roomId, ...others].slice(0, MAX_ROOMS)));
}

/**
 * The room that is opened without an address: the last open one, else one with unread messages,
 * else the first default room. An archived room comes last.
 * @param last the name of the room that was open last in this browser
 * @returns null without a room
 */
export function chooseFirstRoom(rooms: MyRoom[], last: string | null): MyRoom | null {
  const rank = ({ name, is_archived, is_default, membership }: MyRoom) => {
    if (name === last) return 0;
    if (is_archived) return 5;
    const { isUnread, mentions } = readNews(membership);
    if (isUnread) return mentions > 0 ? 1 : 2;
    return is_default ? 3 : 4;
  };
  const byRank = (a: MyRoom, b: MyRoom) => rank(a) - rank(b) || a.name.localeCompare(b.name);
  return rooms.toSorted(byRank)[0] ?? null;
}
