import { signal } from "@preact/signals";
import { store } from "./store.ts";
import { ReadMarks } from "../connection/read-marks.ts";
import { showError } from "./toasts.ts";

/**
 * The id of the thread that was marked unread: its visible replies do not count as read until it is
 * opened again.
 */
export const markedUnreadThread = signal<string | null>(null);

const marks = new ReadMarks<number>(store.clock, (id, seq) =>
  store.call("POST /api/messages/:id/thread/read", { params: { id }, body: { seq } }),
);

/**
 * Marks a thread that the reader follows as read up to a reply, before the service has confirmed
 * it.
 */
export function markThreadRead(threadId: string, seq: number): void {
  const mark = store.state.value.threads?.[threadId];
  if (!mark || mark.read_seq >= seq || markedUnreadThread.value === threadId) return;
  store.showThreadRead(threadId, seq);
  marks.post(threadId, seq);
}

export async function markUnreadFrom(threadId: string, replyId: string): Promise<void> {
  markedUnreadThread.value = threadId;
  // A request in flight would move the mark forward again.
  await marks.cancel(threadId);
  const input = { params: { id: threadId }, body: { message_id: replyId } };
  try {
    // The event of this change also says whether my last reply was before the mark.
    await store.call("POST /api/messages/:id/thread/unread", input);
  } catch (error) {
    markedUnreadThread.value = null;
    showError(error);
  }
}

document.addEventListener("visibilitychange", () => document.hidden && marks.flush());

/** Marks a thread done, or open again. The change also arrives as an event. */
export async function markThreadDone(id: string, isDone: boolean): Promise<void> {
  try {
    await changeThread(id, { is_resolved: isDone });
  } catch (error) {
    showError(error);
  }
}

/** @throws ApiError */
export async function changeThread(
  id: string,
  body: { title?: string | null; is_resolved?: boolean },
): Promise<void> {
  await store.call("PATCH /api/messages/:id/thread", { params: { id }, body });
}
