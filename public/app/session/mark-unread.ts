import type { Message } from "../../../src/wire/models.ts";
import { markedUnreadRoom } from "./mark-read.ts";
import { readMarks, store } from "./store.ts";
import { showError, showToast } from "./toasts.ts";
import { t } from "../words/translate.ts";

/**
 * Marks a room unread from a message on; it stays unread until the reader leaves it, or presses
 * Esc.
 */
export function markUnread({ id, room_id }: Pick<Message, "id" | "room_id">): void {
  markedUnreadRoom.value = room_id;
  void setUnread(room_id, id);
}

async function setUnread(room_id: string, message_id: string): Promise<void> {
  // A read mark that is waiting or in flight would mark the room as read again.
  await readMarks.cancel(room_id);
  const input = { params: { id: room_id }, body: { message_id } };
  await store.call("POST /api/rooms/:id/unread", input).then(() => {
    const hasKeys = matchMedia("(pointer: fine)").matches;
    showToast(t(hasKeys ? "unread.done" : "unread.done-touch"));
  }, showError);
}
