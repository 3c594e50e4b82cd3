import { keepIfSpace, type KeyValue } from "../../connection/storage.ts";

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
