import { signal } from "@preact/signals";
import type { MyRoom } from "../../../src/wire/models.ts";
import { emptyView, hasNewest } from "../state/model/model.ts";
import { markRoomThreads } from "./mark-threads.ts";
import { dismissNotifications } from "./service-worker.ts";
import { readMarks, store } from "./store.ts";

/**
 * A room that was marked unread while it is open: it stays unread until the reader leaves it, or
 * presses Esc.
 */
export const heldUnread = signal<string | null>(null);

/** Marks a whole room and its threads as read, whether or not their messages were visible. */
export function markRead(room: MyRoom): void {
  if (heldUnread.value === room.id) heldUnread.value = null;
  void markRoomThreads(room.id).catch(() => {});
  const at = room.last_message_at;
  if (!at || !room.membership?.unread) return;
  const view = store.state.value.views[room.id] ?? emptyView;
  const newest = hasNewest(view, room) ? view.messages.at(-1) : undefined;
  store.showRead(room.id, newest?.created_at ?? at);
  dismissNotifications(room.id);
  readMarks.post(room.id, newest?.id ?? null);
}

/** Marks all rooms read with one request. @throws ApiError */
export async function markAllRead(): Promise<void> {
  const { items } = await store.call("POST /api/rooms/read");
  for (const { room_id } of items) dismissNotifications(room_id);
}
