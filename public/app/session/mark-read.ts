import { signal } from "@preact/signals";
import type { MyRoom } from "../../../src/wire/models.ts";
import { emptyView, hasNewest } from "../state/model/model.ts";
import { dismissNotifications } from "./service-worker.ts";
import { readMarks, store } from "./store.ts";
import { isUnread } from "../state/model/follows.ts";

/**
 * The id of a room that was marked unread while open. It stays unread until the reader leaves it or
 * presses Esc.
 */
export const markedUnreadRoom = signal<string | null>(null);

/** Marks a whole room and its threads as read, whether or not their messages were visible. */
export function markRead(room: MyRoom): void {
  if (markedUnreadRoom.value === room.id) markedUnreadRoom.value = null;
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

/** Marks the threads of a room read, if the reader follows an unread one. */
function markRoomThreads(roomId: string): Promise<void> {
  const follows = Object.values(store.state.value.threads ?? {});
  const isConcerned = follows.some((follow) => follow.room_id === roomId && isUnread(follow));
  return isConcerned ? markThreadsRead(roomId) : Promise.resolve();
}

/** Marks all threads that the reader follows read, or those of a room. @throws ApiError */
export async function markThreadsRead(roomId: string | null = null): Promise<void> {
  const unread = Object.entries(store.state.value.threads ?? {}).filter(
    ([, follow]) => isUnread(follow) && (roomId === null || follow.room_id === roomId),
  );
  for (const [id, { last_reply_seq }] of unread) store.showThreadRead(id, last_reply_seq);
  try {
    await store.call("POST /api/threads/read", { body: roomId ? { room_id: roomId } : {} });
  } catch (error) {
    store.threads.load();
    throw error;
  }
}
