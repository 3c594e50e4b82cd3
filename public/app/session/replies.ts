import { signal } from "@preact/signals";
import type { RoomView } from "../state/model/model.ts";
import { background } from "./navigation.ts";
import { store } from "./store.ts";
import { storeIfSpace, localStore } from "../connection/storage.ts";
import { needsDecision, type OutboxEntry } from "../connection/outbox.ts";

const KEY = "snug.replies-in-full";

/** Whether rooms on this device show replies in full instead of folding them into one line. */
export const areRepliesFull = signal(localStore.getItem(KEY) !== null);

export function setRepliesFull(isFull: boolean): void {
  areRepliesFull.value = isFull;
  storeIfSpace(localStore, KEY, isFull ? "1" : null);
}

/** Whether a room shows an unsent message: a reply only if it needs a decision and its thread is closed. */
export function isShownIn(roomId: string, entry: OutboxEntry): boolean {
  if (entry.room_id !== roomId || !entry.thread_id) return entry.room_id === roomId;
  const here = background.value.route;
  return needsDecision(entry) && !(here.name === "room" && here.threadId === entry.thread_id);
}

/**
 * My messages of a room or thread that are not acknowledged. Excludes messages that a loaded page
 * already contains.
 */
export function pendingIn(
  { messages }: RoomView,
  isHere: (entry: OutboxEntry) => boolean,
): OutboxEntry[] {
  const entries = store.unsent.value.filter(isHere);
  if (entries.length === 0) return entries;
  const loadedIds = new Set(messages.map(({ client_id }) => client_id));
  return entries.filter(({ client_id }) => !loadedIds.has(client_id));
}
