import { useEffect, useRef, useState } from "preact/hooks";
import type { MyRoom } from "../../../src/wire/models.ts";
import { markedUnreadRoom } from "../session/mark-read.ts";
import { readMarks, store } from "../session/store.ts";
import { dismissNotifications } from "../session/service-worker.ts";
import { conversationById, isAuthor, ledgerOf, type RoomView } from "../state/model/model.ts";
import { getSeen } from "../state/timeline/seen.ts";
import { visibleRange } from "./scroll-anchor.ts";

/**
 * Marks messages as read after they were visible while the page had the focus, up to the newest
 * message before which every unread message was visible. Call it before the divider's hook, so that
 * visible messages are already read.
 * @returns `look`, to call after the list has changed or was scrolled, the number of unread
 * messages below the newest one that was visible, and whether an unread message can be shown
 */
export function useReadMark(room: MyRoom, view: RoomView) {
  const seenMessages = getSeen(room.id);
  const [newest, setNewest] = useState(seenMessages.newest);
  const box = useRef<HTMLElement | null>(null);
  const look = (list: HTMLElement, isScroll: boolean) => {
    box.current = list;
    const now = conversationById(store.state.value, room.id);
    const current = store.state.value.views[room.id];
    const onScreen = visibleRange(list);
    if (!now || !current || !onScreen || markedUnreadRoom.value === room.id) return;
    if (!document.hasFocus()) {
      seenMessages.leave();
      return;
    }
    seenMessages.note(current.messages, onScreen, isScroll);
    setNewest(seenMessages.newest);
    const readAt = now.membership?.last_read_at;
    const last =
      now.membership?.unread && readAt
        ? seenMessages.lastRead(current, readAt, store.me.value)
        : null;
    if (!last) return;
    store.showRead(room.id, last.created_at);
    dismissNotifications(room.id);
    readMarks.post(room.id, last.id);
  };
  const latest = useRef(look);
  latest.current = look;
  const { unread = false, last_read_at = "" } = room.membership ?? {};
  const timesMarkedUnread = ledgerOf(store.state.value, room.id)?.timesMarkedUnread ?? 0;
  const previousTimes = useRef(timesMarkedUnread);
  // A response may count a message as unread before the message arrives.
  const isUnreadLoaded =
    unread && (view.hasAfter || (view.messages.at(-1)?.created_at ?? "") > last_read_at);
  useEffect(() => {
    // The room was marked unread in this tab, another tab, or on another device.
    if (timesMarkedUnread > previousTimes.current) {
      markedUnreadRoom.value = room.id;
      seenMessages.forgetAfter(view.messages, last_read_at);
    }
    previousTimes.current = timesMarkedUnread;
  }, [timesMarkedUnread]);
  useEffect(() => {
    // The service may not have received this page's last read mark.
    if (unread && box.current) latest.current(box.current, true);
  }, [unread, isUnreadLoaded, last_read_at]);
  useEffect(
    () => () => {
      if (markedUnreadRoom.value === room.id) markedUnreadRoom.value = null;
    },
    [],
  );
  const missedCount = view.hasAfter
    ? 0
    : view.messages.filter(
        (message) =>
          message.seq > newest &&
          message.created_at > last_read_at &&
          !isAuthor(store.me.value, message),
      ).length;
  return { look, missed: missedCount, isUnreadLoaded };
}
