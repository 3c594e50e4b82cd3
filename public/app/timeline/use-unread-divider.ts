import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { MAX_UNREAD } from "../../../src/wire/limits.ts";
import { store } from "../session/store.ts";
import { conversationById, isAuthor, ledgerOf, type RoomView } from "../state/model/model.ts";
import { coversTime } from "../state/timeline/room-history.ts";
import type { Span } from "../state/timeline/span.ts";
import { topOf, visibleRange } from "./scroll-anchor.ts";

type UnreadDivider = {
  /** The message below the divider; null if it is not loaded, or all are read. */
  before: Message | null;
  /** Messages after this time are unread; null if all are read. */
  since: string | null;
  /**
   * What is unread, with the first unread message if it is loaded; null while there is nothing to
   * show.
   */
  news: { first: Message | null; since: string; count: number | null } | null;
  /** Call after the read mark was updated, to measure the list. */
  look(list: HTMLElement, span: Span): void;
  dismiss(): void;
};

/**
 * Manages the divider above the messages that were unread when the room was opened or the page lost
 * the focus.
 * @param isUnreadLoaded whether an unread message can be shown
 */
export function useUnreadDivider(
  room: MyRoom,
  view: RoomView,
  isUnreadLoaded: boolean,
): UnreadDivider {
  const unread = room.membership?.unread === true;
  const readAt = room.membership?.last_read_at ?? "";
  const [since, setSince] = useState(unread && readAt ? readAt : null);
  /** Whether the room was unread when it was opened, and has not been read since. */
  const [isLeft, setLeft] = useState(since !== null);
  const [isAbove, setAbove] = useState(false);
  const [skipped, setSkipped] = useState<string | null>(null);
  const wasSeen = useRef(false);

  const wasUnread = useRef(unread);
  useEffect(() => {
    // A message that arrives in view is marked as read after this render.
    const isStill = conversationById(store.state.value, room.id)?.membership?.unread === true;
    if (isUnreadLoaded && isStill && !wasUnread.current && readAt) {
      wasSeen.current = false;
      setSince(readAt);
    }
    wasUnread.current = unread && isStill && (isUnreadLoaded || wasUnread.current);
  }, [unread, isUnreadLoaded]);

  const timesMarkedUnread = ledgerOf(store.state.value, room.id)?.timesMarkedUnread ?? 0;
  const previousTimes = useRef(timesMarkedUnread);
  useEffect(() => {
    // The room was marked unread from a visible message on.
    if (unread && timesMarkedUnread > previousTimes.current) {
      wasSeen.current = true;
      setLeft(false);
      setSince(readAt);
    }
    previousTimes.current = timesMarkedUnread;
  }, [timesMarkedUnread]);

  const isKnown = since !== null && coversTime(view, since);
  const before = useMemo(
    () => (isKnown ? firstUnread(view.messages, since) : null),
    [view.messages, since, isKnown],
  );
  const isUncounted = since !== null && view.loaded && countSince(view, since) === null;
  useEffect(() => {
    if (isUncounted) void store.sync.history.countUnread(room.id);
  }, [isUncounted, since]);
  return {
    before,
    since,
    news: unread ? newsIn(view, isAbove || isLeft ? since : skipped) : null,
    look(list, span) {
      const row = before && list.querySelector<HTMLElement>(".divider.new");
      if (row && topOf(list, row) >= 0) wasSeen.current = true;
      const isFurtherUp = row ? topOf(list, row) < 0 : before ? before.seq < span.from : !isKnown;
      setAbove(since !== null && !wasSeen.current && view.loaded && isFurtherUp);
      setSkipped(skippedAbove(room.id, list));
      const now = conversationById(store.state.value, room.id)?.membership?.unread === true;
      if (!now) setLeft(false);
    },
    dismiss() {
      wasSeen.current = true;
      setLeft(false);
      setAbove(false);
      setSkipped(null);
    },
  };
}

/** The time after which messages above the screen are unread, if the reader jumped over them. */
function skippedAbove(roomId: string, list: HTMLElement): string | null {
  const state = store.state.value;
  const { unread, last_read_at: readAt } = conversationById(state, roomId)?.membership ?? {};
  const view = state.views[roomId];
  const onScreen = visibleRange(list);
  if (!unread || !readAt || !view?.loaded || !onScreen) return null;
  const first = coversTime(view, readAt) ? firstUnread(view.messages, readAt) : null;
  const oldest = view.messages[0];
  const isSkipped = first ? first.seq < onScreen.from : oldest && oldest.created_at > readAt;
  return isSkipped ? readAt : null;
}

/** The unread messages after a time, with their number if it is known. */
function newsIn(view: RoomView, since: string | null): UnreadDivider["news"] {
  if (since === null || !view.loaded) return null;
  const first = coversTime(view, since) ? (newBetween(view, since)[0] ?? null) : null;
  return { first, since, count: countSince(view, since) };
}

/**
 * How many messages are new since a time; null if only the service knows. It counts from its read mark,
 * which may be older or newer than the time: what is loaded between both makes up for that.
 */
function countSince(view: RoomView, since: string): number | null {
  if (!view.hasAfter && coversTime(view, since)) return newBetween(view, since).length;
  const { unread } = view;
  if (!unread || unread.since === since || unread.count >= MAX_UNREAD) return unread?.count ?? null;
  const isOlder = unread.since < since;
  const [from, to] = isOlder ? [unread.since, since] : [since, unread.since];
  if (!coversTime(view, from) || (view.messages.at(-1)?.created_at ?? "") < to) return null;
  const between = newBetween(view, from, to).length;
  return unread.count + (isOlder ? -between : between);
}

function newBetween({ messages }: RoomView, from: string, to = "~"): Message[] {
  const me = store.me.value;
  return messages.filter(
    (message) =>
      message.created_at > from &&
      message.created_at <= to &&
      !message.deleted_at &&
      !isAuthor(me, message),
  );
}

function firstUnread(messages: Message[], since: string): Message | null {
  const me = store.me.value;
  return messages.find((message) => message.created_at > since && !isAuthor(me, message)) ?? null;
}
