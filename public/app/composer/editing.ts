import { signal } from "@preact/signals";
import type { MyRoom } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { isAuthor } from "../state/model/model.ts";

/** The key of the row that is being edited: the message's id, after that of the thread it is shown in. */
export const editing = signal<string | null>(null);

/** Whether a key edits the last message; with Alt it goes to another room. */
export const isEditKey = ({ key, altKey }: KeyboardEvent) => key === "ArrowUp" && !altKey;

/**
 * Edits the reader's last message of a room, or of a thread.
 * @returns false if the loaded messages have none of theirs
 */
export function editLast(room: MyRoom, threadId: string | null): boolean {
  const me = store.me.value;
  const { messages = [] } = store.state.value.views[threadId ?? room.id] ?? {};
  // The room folds replies, so they are edited in their thread.
  const last = messages.findLast((m) => isAuthor(me, m) && (threadId || !m.thread_id));
  if (last) editing.value = threadId ? `${threadId} ${last.id}` : last.id;
  return last !== undefined;
}
