import { computed, effect, signal, untracked } from "@preact/signals";
import { Threads } from "../state/threads/loaded-threads.ts";
import { store } from "./store.ts";
import { ReadMarks } from "../connection/read-marks.ts";
import { showError } from "./toasts.ts";

let threads: Threads | null = null;

/** Keeps threads up to date, from the first call on. */
export function getThreads(): Threads {
  threads ??= startThreads();
  return threads;
}

function startThreads(): Threads {
  const onMissing = () => {
    store.missing.value += 1;
  };
  const started = store.attach((deps) => new Threads({ ...deps, onMissing }));
  store.onEvent((event) => started.hear(event));
  const personId = computed(() =>
    store.phase.value === "signed-in" ? store.me.value?.id : undefined,
  );
  effect(() => {
    const isHere = personId.value !== undefined;
    untracked(() => {
      if (!isHere) started.stop();
      // Those of the last visit are brought up to date once the socket is open.
      else if (!store.state.value.follows) started.mine.load();
    });
  });
  return started;
}

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

/** Marks a thread done, or open again; the change arrives as an event, too. */
export async function markThreadDone(id: string, isDone: boolean): Promise<void> {
  try {
    await changeThread(id, { is_resolved: isDone });
  } catch (error) {
    showError(error);
  }
}

/** Changes a thread. @throws ApiError */
export async function changeThread(
  id: string,
  body: { title?: string | null; is_resolved?: boolean },
): Promise<void> {
  await store.call("PATCH /api/messages/:id/thread", { params: { id }, body });
}
