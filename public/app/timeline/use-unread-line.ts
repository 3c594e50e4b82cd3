import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { type RoomView, wrote } from "../state/model.ts";
import { covers } from "../state/room-history.ts";
import type { Span } from "../state/span.ts";
import { topOf, visibleRange } from "./rows.ts";

export type UnreadLine = {
  /** The line stands above this message; null while that is not known, or nothing is new. */
  before: Message | null;
  /** Since when all is new; null where nothing is. */
  since: string | null;
  /**
   * Unread messages further up than what is seen: the first of them, as far as it is known, and since
   * when they are. Null where there is none.
   */
  above: { first: Message | null; since: string } | null;
  /** Looks at the list, after it was noted what of it was read. */
  look(list: HTMLElement, span: Span): void;
  dismiss(): void;
};

/**
 * The line above what was new when the room was opened, or when one looked away. It stays while one reads.
 */
export function useUnreadLine(room: MyRoom, view: RoomView): UnreadLine {
  const unread = room.membership?.unread === true;
  const readAt = room.membership?.last_read_at ?? "";
  const [since, setSince] = useState(unread && readAt ? readAt : null);
  const [isAbove, setAbove] = useState(false);
  const [skipped, setSkipped] = useState<string | null>(null);
  const seen = useRef(false);

  const wasUnread = useRef(unread);
  useEffect(() => {
    // What is seen as it comes has been marked read since this was drawn.
    const isStill = store.state.value.rooms?.[room.id]?.membership?.unread === true;
    if (unread && isStill && !wasUnread.current && readAt) {
      seen.current = false;
      setSince(readAt);
    }
    wasUnread.current = unread && isStill;
  }, [unread]);

  const isKnown = since !== null && covers(view, since);
  const before = useMemo(
    () => (isKnown ? firstUnread(view.messages, since) : null),
    [view.messages, since, isKnown],
  );
  return {
    before,
    since,
    above: isAbove && since !== null ? { first: before, since } : skippedIn(view, skipped),
    look(list, span) {
      const row = before && list.querySelector<HTMLElement>(".divider.new");
      if (row && topOf(list, row) >= 0) seen.current = true;
      const isFurtherUp = row ? topOf(list, row) < 0 : before ? before.seq < span.from : !isKnown;
      setAbove(since !== null && !seen.current && view.loaded && isFurtherUp);
      setSkipped(skippedAbove(room.id, list));
    },
    dismiss() {
      seen.current = true;
      setAbove(false);
      setSkipped(null);
    },
  };
}

/** Since when there are unread messages above what is on the screen: one has jumped over them. */
function skippedAbove(roomId: string, list: HTMLElement): string | null {
  const { rooms, views } = store.state.value;
  const { unread, last_read_at: readAt } = rooms?.[roomId]?.membership ?? {};
  const view = views[roomId];
  const onScreen = visibleRange(list);
  if (!unread || !readAt || !view?.loaded || !onScreen) return null;
  const first = covers(view, readAt) ? firstUnread(view.messages, readAt) : null;
  const oldest = view.messages[0];
  const isSkipped = first ? first.seq < onScreen.from : oldest && oldest.created_at > readAt;
  return isSkipped ? readAt : null;
}

function skippedIn(view: RoomView, since: string | null): UnreadLine["above"] {
  if (since === null) return null;
  return { first: covers(view, since) ? firstUnread(view.messages, since) : null, since };
}

function firstUnread(messages: Message[], since: string): Message | null {
  const me = store.me.value;
  return messages.find((one) => one.created_at > since && !wrote(me, one)) ?? null;
}
