import { useEffect } from "preact/hooks";
import type { MyRoom } from "../../../src/wire/models.ts";
import { store } from "../app.ts";
import { dismissNotifications } from "../watch-worker.ts";
import { applyRead } from "../state/unread.ts";
import { hasNewest, type RoomView } from "../state/model.ts";

/** Marks the room read: on this screen at once, then at the service. */
export function markRead(room: MyRoom): void {
  const at = room.last_message_at;
  if (!at || !room.membership?.unread) return;
  store.state.value = applyRead(store.state.value, room.id, at);
  dismissNotifications(room.id);
  // The next look at the list tells again what did not get through.
  store.api.post(`/api/rooms/${room.id}/read`).catch(() => {});
}

/** What is seen at the bottom of a page that is looked at has been read. */
export function useReadMark(room: MyRoom, view: RoomView, atBottom: boolean): void {
  const unread = room.membership?.unread === true;
  useEffect(() => {
    const look = () => {
      if (unread && atBottom && hasNewest(view, room) && document.hasFocus()) markRead(room);
    };
    look();
    addEventListener("focus", look);
    return () => removeEventListener("focus", look);
  }, [unread, atBottom, view, room.last_message_at]);
}
