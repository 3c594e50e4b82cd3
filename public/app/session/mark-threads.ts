import { isUnread } from "../state/model/follows.ts";
import { store } from "./store.ts";
import { getThreads } from "./get-threads.ts";

/** Marks the threads of a room read, if the reader follows an unread one. */
export function markRoomThreads(roomId: string): Promise<void> {
  const follows = Object.values(store.state.value.follows ?? {});
  const isConcerned = follows.some((follow) => follow.room_id === roomId && isUnread(follow));
  return isConcerned ? markThreadsRead(roomId) : Promise.resolve();
}

/** Marks all threads that the reader follows read, or those of a room. @throws ApiError */
export async function markThreadsRead(roomId: string | null = null): Promise<void> {
  const unread = Object.entries(store.state.value.follows ?? {}).filter(
    ([, follow]) => isUnread(follow) && (roomId === null || follow.room_id === roomId),
  );
  for (const [thread_id, { last_reply_seq: read_seq, replied_seq }] of unread) {
    getThreads().mine.onEvent({ type: "thread_read", thread_id, read_seq, replied_seq });
  }
  try {
    await store.call("POST /api/threads/read", { body: roomId ? { room_id: roomId } : {} });
  } catch (error) {
    getThreads().mine.load();
    throw error;
  }
}
