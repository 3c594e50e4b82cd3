import { signal } from "@preact/signals";
import { ReadMarks } from "../connection/read-marks.ts";
import { showError } from "./toasts.ts";
import { store } from "./store.ts";
import { getThreads } from "./get-threads.ts";

/**
 * The thread that was marked unread: its visible replies do not count as read until it is opened
 * again.
 */
export const keptUnread = signal<string | null>(null);

const marks = new ReadMarks<number>(store.clock, (id, seq) =>
  store.call("POST /api/messages/:id/thread/read", { params: { id }, body: { seq } }),
);

/** Marks a thread that the reader follows read up to a reply: at once here, then on the service. */
export function markThreadRead(threadId: string, seq: number): void {
  const part = store.state.value.views[threadId]?.thread;
  if (!part?.isFollowing || (part.readSeq ?? 0) >= seq || keptUnread.value === threadId) return;
  const { replied_seq = 0 } = store.state.value.follows?.[threadId] ?? {};
  showRead(threadId, seq, replied_seq);
  marks.post(threadId, seq);
}

/** Marks a thread unread from one of its replies on. */
export async function markUnreadFrom(threadId: string, replyId: string): Promise<void> {
  keptUnread.value = threadId;
  // A request under way would move the mark forward again.
  await marks.cancel(threadId);
  const input = { params: { id: threadId }, body: { message_id: replyId } };
  try {
    // The change arrives as an event, too, which says whether my last reply was before the mark.
    await store.call("POST /api/messages/:id/thread/unread", input);
  } catch (error) {
    keptUnread.value = null;
    showError(error);
  }
}

document.addEventListener("visibilitychange", () => document.hidden && marks.flush());

function showRead(thread_id: string, read_seq: number, replied_seq: number): void {
  getThreads().mine.onEvent({ type: "thread_read", thread_id, read_seq, replied_seq });
}
