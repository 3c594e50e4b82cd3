import type { MyRoom } from "../../../../src/wire/models.ts";
import { keepIfSpace, type KeyValue } from "../../connection/storage.ts";

/** The newest pin when the line under a room's head was folded, and how many there were. */
type Folded = { id: string; count: number };

const keyOf = (userId: string, roomId: string) => `snug.pin.${userId}.${roomId}`;

/** Whether the line is folded on this device: until a newer pin than the folded one. */
export function isPinFolded(storage: KeyValue, userId: string, room: MyRoom): boolean {
  const { id, pin_count: count, newest_pin: newest } = room;
  const json = storage.getItem(keyOf(userId, id));
  if (!json || !newest) return false;
  const folded = JSON.parse(json) as Folded;
  if (folded.id === newest.message_id) return true;
  // If the newest pin was removed, an older one is the newest again: it stays folded.
  const isNewer = count >= folded.count;
  if (!isNewer) foldPin(storage, userId, room);
  return !isNewer;
}

/** Folds the line of the newest pin away in this browser, until a newer one is pinned. */
export function foldPin(storage: KeyValue, userId: string, room: MyRoom): void {
  const { id, pin_count: count, newest_pin: newest } = room;
  if (!newest) return;
  const folded: Folded = { id: newest.message_id, count };
  keepIfSpace(storage, keyOf(userId, id), JSON.stringify(folded));
}
