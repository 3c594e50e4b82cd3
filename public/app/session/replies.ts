import { signal } from "@preact/signals";
import type { OutboxEntry } from "../connection/outbox-entries.ts";
import { asksFor } from "../state/outbox/my-outbox.ts";
import { background } from "./navigation.ts";
import { keepIfSpace, localStore } from "../connection/storage.ts";

const KEY = "snug.replies-in-full";

/** Whether rooms show replies like other messages, on this device, instead of one line for several. */
export const areRepliesFull = signal(localStore.getItem(KEY) !== null);

export function setRepliesFull(isFull: boolean): void {
  areRepliesFull.value = isFull;
  keepIfSpace(localStore, KEY, isFull ? "1" : null);
}

/**
 * Whether a room shows a message that waits to be sent: a reply is shown in its thread, unless that
 * is closed.
 */
export function isShownIn(roomId: string, entry: OutboxEntry): boolean {
  if (entry.room_id !== roomId || !entry.thread_id) return entry.room_id === roomId;
  const here = background.value.route;
  return asksFor(entry) && !(here.name === "room" && here.threadId === entry.thread_id);
}
