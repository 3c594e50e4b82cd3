import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { store } from "../app.ts";
import { type RoomView, wrote } from "../state/model.ts";
import { covers } from "../state/room-history.ts";
import type { Span } from "../state/span.ts";
import { topOf } from "./rows.ts";

export type UnreadLine = {
  /** The line stands above this message; null while that is not known, or nothing is new. */
  before: Message | null;
  /** Since when all is new; null where nothing is. */
  since: string | null;
  /** The line is further up than what is seen, and was not seen yet. */
  isAbove: boolean;
  look(list: HTMLElement, span: Span): void;
  dismiss(): void;
};

/**
 * The line above what was new when the room was opened, or when one looked away. It stays while one reads.
 * @param isReading whether what comes now is seen as it comes
 */
export function useUnreadLine(
  room: MyRoom,
  view: RoomView,
  isReading: { current: () => boolean },
): UnreadLine {
  const unread = room.membership?.unread === true;
  const readAt = room.membership?.last_read_at ?? "";
  const [since, setSince] = useState(unread && readAt ? readAt : null);
  const [isAbove, setAbove] = useState(false);
  const seen = useRef(false);

  const wasUnread = useRef(unread);
  useEffect(() => {
    if (unread && !wasUnread.current && !isReading.current() && readAt) {
      seen.current = false;
      setSince(readAt);
    }
    wasUnread.current = unread;
  }, [unread]);

  const isKnown = since !== null && covers(view, since);
  const before = useMemo(
    () => (isKnown ? firstUnread(view.messages, since) : null),
    [view.messages, since, isKnown],
  );
  return {
    before,
    since,
    isAbove: isAbove && since !== null,
    look(list, span) {
      const row = before && list.querySelector<HTMLElement>(".divider.new");
      if (row && topOf(list, row) >= 0) seen.current = true;
      const isFurtherUp = row ? topOf(list, row) < 0 : before ? before.seq < span.from : !isKnown;
      setAbove(since !== null && !seen.current && view.loaded && isFurtherUp);
    },
    dismiss() {
      seen.current = true;
      setAbove(false);
    },
  };
}

function firstUnread(messages: Message[], since: string): Message | null {
  const me = store.me.value;
  return messages.find((one) => one.created_at > since && !wrote(me, one)) ?? null;
}
