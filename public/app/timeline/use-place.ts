import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { store } from "../session/store.ts";
import type { Message } from "../../../src/wire/models.ts";
import type { RoomView } from "../state/model.ts";
import { places } from "../state/places.ts";
import { drawn, newer, older, type Span, spanAround, trimmed } from "../state/span.ts";
import { type Anchor, anchorAfter, restore, rowOf, settle, topOf } from "./rows.ts";

/** Pixels from the newest message that count as being there. */
const NEAR_BOTTOM = 48;
/** Pixels from an end at which more is drawn, or loaded. */
const NEAR_END = 1200;
/** What is far away is let go when the scrolling rests. */
const REST_MS = 250;
/** The position of a row that the view jumps to: below the sticky date. */
const BELOW_EDGE = 46;

/** What was read stays above the line of what is new, so that one sees where it begins; in pixels. */
const ABOVE_UNREAD = 150;

type Block = "center" | "start" | "unread";
type Target = { id: string; seq: number; block: Block } | "latest";

type PlaceOptions = {
  /** Messages of mine that wait to be sent. */
  sending: number;
  /** The message to open at: the first unread one. Null for the newest, or the stored place. */
  start: Message | null;
  /** Called when rows may have become visible; isScroll if by scrolling. */
  onLook(list: HTMLElement, span: Span, isScroll: boolean): void;
};

/**
 * The place in a room's history, which is sacred: at the bottom it follows; elsewhere the row under the
 * pointer, or else at the upper edge, stays where it is, whatever comes, goes or grows around it. The list
 * is a `column-reverse` box, so that a browser measures from its bottom: following, and what comes above,
 * need no scrolling at all.
 */
export function usePlace(roomId: string, view: RoomView, { sending, start, onLook }: PlaceOptions) {
  const list = useRef<HTMLDivElement>(null);
  const kept = useRef(keptPlace(roomId, view));
  const [span, setSpan] = useState(() =>
    around(view.messages, (kept.current ?? start)?.seq ?? Infinity),
  );
  const anchor = useRef<Anchor | null>(kept.current);
  const following = useRef(!kept.current && !start);
  const isOpened = useRef(false);
  const target = useRef<Target | null>(null);
  const pointer = useRef<number | null>(null);
  const resting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const [atBottom, setAtBottom] = useState(following.current);
  const { messages } = view;

  const shown = drawn(messages, span);
  const isEnd = span.to === Infinity && !view.hasAfter;

  /** Looks where we are after any change, and sees to it that there is more on either side. */
  const look = ({ grows = true, isScroll = false } = {}) => {
    const box = list.current;
    if (!box) return;
    // What has grown since is undone first: measured before that, the wrong place would be kept.
    const settled = anchor.current && !following.current ? settle(box, anchor.current) : null;
    const below = -box.scrollTop;
    const above = box.scrollHeight - box.clientHeight - below;
    following.current = isEnd && below < NEAR_BOTTOM;
    const height = pointer.current ?? box.getBoundingClientRect().top + 1;
    anchor.current = anchorAfter(box, height, settled);
    setAtBottom(following.current);
    if (grows && above < NEAR_END) {
      const more = older(messages, span);
      if (more !== span) setSpan(more);
      else if (view.hasBefore && !view.stuck) void store.sync.history.loadMore(roomId, "before");
    }
    if (grows && below < NEAR_END) {
      const more = newer(messages, span);
      if (more !== span) setSpan(more);
      else if (view.hasAfter && !view.stuck) void store.sync.history.loadMore(roomId, "after");
    }
    onLook(box, span, isScroll);
  };

  /** Lets go of what is far away, once the scrolling rests: a throw on a phone would end by it. */
  const rest = () => {
    clearTimeout(resting.current);
    resting.current = setTimeout(() => {
      const { messages, span } = latest.current;
      setSpan(trimmed(messages, span, following.current ? Infinity : (anchor.current?.seq ?? 0)));
    }, REST_MS);
  };
  const latest = useRef({ look, span, messages });
  latest.current = { look, span, messages };

  useLayoutEffect(() => {
    const box = list.current;
    if (!box || messages.length === 0) return;
    if (!isOpened.current) {
      isOpened.current = true;
      if (start && !kept.current) target.current ??= { ...start, block: "unread" };
    }
    const aim = target.current;
    if (aim === "latest") {
      if (!isEnd) return;
      box.scrollTop = 0;
    } else if (aim) {
      const row = rowOf(box, aim.id);
      if (row) bring(box, row, aim.block);
      else if (aim.seq < span.from || aim.seq > span.to) return setSpan(around(messages, aim.seq));
    } else if (shown.length === 0) {
      return setSpan(spanAround(messages, Infinity));
    } else if (following.current) {
      box.scrollTop = 0;
    } else if (anchor.current) {
      anchor.current = restore(box, anchor.current);
    }
    target.current = null;
    if (aim) anchor.current = null;
    look({ grows: false, isScroll: !aim && !following.current });
    // What is not seen yet is drawn after what is: one long task would hold up the first key.
    const grow = requestAnimationFrame(() => setTimeout(() => latest.current.look()));
    rest();
    return () => cancelAnimationFrame(grow);
  }, [messages, span, sending, view.loaded, view.hasAfter]);

  const sent = useRef(sending);
  useLayoutEffect(() => {
    // Who sends wants to see it.
    if (sending > sent.current) toLatest();
    sent.current = sending;
  }, [sending]);

  useEffect(() => {
    const box = list.current;
    if (!box) return;
    const onScroll = () => {
      latest.current.look({ isScroll: true });
      rest();
    };
    const onFocus = () => latest.current.look();
    // A phone's keyboard, a longer composer, a preview that has come.
    const resized = new ResizeObserver(() => {
      if (following.current) box.scrollTop = 0;
      else if (anchor.current) anchor.current = restore(box, anchor.current);
      latest.current.look();
    });
    const onPointer = (event: PointerEvent) => {
      if (event.pointerType !== "mouse") return;
      pointer.current = event.clientY;
      const settled = anchor.current && !following.current ? settle(box, anchor.current) : null;
      anchor.current = anchorAfter(box, event.clientY, settled);
    };
    const onLeave = () => {
      pointer.current = null;
    };
    box.addEventListener("scroll", onScroll, { passive: true });
    box.addEventListener("pointermove", onPointer, { passive: true });
    box.addEventListener("pointerleave", onLeave);
    addEventListener("focus", onFocus);
    resized.observe(box);
    if (box.firstElementChild) resized.observe(box.firstElementChild);
    return () => {
      clearTimeout(resting.current);
      box.removeEventListener("scroll", onScroll);
      box.removeEventListener("pointermove", onPointer);
      box.removeEventListener("pointerleave", onLeave);
      removeEventListener("focus", onFocus);
      resized.disconnect();
      if (following.current || !anchor.current) places.delete(roomId);
      else places.set(roomId, anchor.current);
    };
  }, [view.loaded]);

  /** To a message that is known, which is brought to the upper edge or the middle. */
  const goTo = ({ id, seq }: { id: string; seq: number }, block: Block = "start") => {
    target.current = { id, seq, block };
    // Always a new one: it is drawn again even where the row is there.
    setSpan(around(store.state.value.views[roomId]?.messages ?? [], seq));
  };
  const toLatest = () => {
    target.current = "latest";
    if (view.hasAfter) void store.sync.history.load(roomId);
    setSpan(spanAround(messages, Infinity));
  };
  return { list, shown, isEnd, atBottom, goTo, toLatest };
}

/** The lowest row, in pixels. */
const MIN_ROW = 27;

/** A span that fills the screen on either side of a message, wherever that is to be brought. */
function around(messages: Message[], seq: number): Span {
  return seq === Infinity
    ? spanAround(messages, seq)
    : spanAround(messages, seq, Math.ceil(innerHeight / MIN_ROW));
}

/** The stored place in the room, if its message is still loaded. */
function keptPlace(roomId: string, view: RoomView): Anchor | null {
  const place = places.get(roomId);
  const isKnown = place && view.messages.some((message) => message.id === place.id);
  return isKnown ? { ...place, scrollTop: 0 } : null;
}

function bring(box: HTMLElement, row: HTMLElement, block: Block): void {
  const middle = (box.clientHeight - row.offsetHeight) / 2;
  const unread = Math.min(ABOVE_UNREAD, box.clientHeight / 3);
  const room = { center: middle, start: BELOW_EDGE, unread }[block];
  box.scrollTop += topOf(box, row) - room;
}
