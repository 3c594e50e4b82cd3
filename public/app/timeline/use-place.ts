import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { store } from "../app.ts";
import type { RoomView } from "../state/model.ts";
import { places } from "../state/places.ts";
import { drawn, newer, older, type Span, spanAround, trimmed } from "../state/span.ts";
import { type Anchor, anchorAt, restore, rowOf, topOf } from "./rows.ts";

/** Pixels from the newest message that count as being there. */
const NEAR_BOTTOM = 48;
/** Pixels from an end at which more is drawn, or loaded. */
const NEAR_END = 1200;
/** What is far away is let go when the scrolling rests. */
const REST_MS = 250;
/** Where a row stands that one was brought to: below the day that sticks to the edge. */
const BELOW_EDGE = 46;

type Target = { id: string; seq: number; block: "center" | "start" } | "latest";

/**
 * The place in a room's history, which is sacred: at the bottom it follows; elsewhere the row under the
 * pointer, or else at the upper edge, stays where it is, whatever comes, goes or grows around it. The list
 * is a `column-reverse` box, so that a browser measures from its bottom: following, and what comes above,
 * need no scrolling at all.
 * @param onLook is called when something may have come into sight, or gone
 */
export function usePlace(
  roomId: string,
  view: RoomView,
  sending: number,
  onLook: (list: HTMLElement, span: Span) => void,
) {
  const list = useRef<HTMLDivElement>(null);
  const kept = useRef(keptPlace(roomId, view));
  const [span, setSpan] = useState(() => spanAround(view.messages, kept.current?.seq ?? Infinity));
  const anchor = useRef<Anchor | null>(kept.current);
  const following = useRef(!kept.current);
  const target = useRef<Target | null>(null);
  const pointer = useRef<number | null>(null);
  const resting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const [atBottom, setAtBottom] = useState(following.current);
  const { messages } = view;

  const shown = drawn(messages, span);
  const isEnd = span.to === Infinity && !view.hasAfter;

  /** Looks where we are after any change, and sees to it that there is more on either side. */
  const look = ({ grows = true } = {}) => {
    const box = list.current;
    if (!box) return;
    const below = -box.scrollTop;
    const above = box.scrollHeight - box.clientHeight - below;
    following.current = isEnd && below < NEAR_BOTTOM;
    anchor.current = anchorAt(box, pointer.current ?? box.getBoundingClientRect().top + 1);
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
    onLook(box, span);
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
    const aim = target.current;
    if (aim === "latest") {
      if (!isEnd) return;
      box.scrollTop = 0;
    } else if (aim) {
      const row = rowOf(box, aim.id);
      if (row) bring(box, row, aim.block);
      else if (aim.seq < span.from || aim.seq > span.to)
        return setSpan(spanAround(messages, aim.seq));
    } else if (shown.length === 0) {
      return setSpan(spanAround(messages, Infinity));
    } else if (following.current) {
      box.scrollTop = 0;
    } else if (anchor.current) {
      restore(box, anchor.current);
    }
    target.current = null;
    look({ grows: false });
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
      latest.current.look();
      rest();
    };
    // A phone's keyboard, a longer composer, a preview that has come.
    const resized = new ResizeObserver(() => {
      if (following.current) box.scrollTop = 0;
      else if (anchor.current) restore(box, anchor.current);
      latest.current.look();
    });
    const onPointer = (event: PointerEvent) => {
      if (event.pointerType !== "mouse") return;
      pointer.current = event.clientY;
      anchor.current = anchorAt(box, event.clientY);
    };
    const onLeave = () => {
      pointer.current = null;
    };
    box.addEventListener("scroll", onScroll, { passive: true });
    box.addEventListener("pointermove", onPointer, { passive: true });
    box.addEventListener("pointerleave", onLeave);
    resized.observe(box);
    if (box.firstElementChild) resized.observe(box.firstElementChild);
    return () => {
      clearTimeout(resting.current);
      box.removeEventListener("scroll", onScroll);
      box.removeEventListener("pointermove", onPointer);
      box.removeEventListener("pointerleave", onLeave);
      resized.disconnect();
      if (following.current || !anchor.current) places.delete(roomId);
      else places.set(roomId, anchor.current);
    };
  }, [view.loaded]);

  /** To a message that is known, which is brought to the upper edge or the middle. */
  const goTo = ({ id, seq }: { id: string; seq: number }, block: "center" | "start" = "start") => {
    target.current = { id, seq, block };
    // Always a new one: it is drawn again even where the row is there.
    setSpan(spanAround(store.state.value.views[roomId]?.messages ?? [], seq));
  };
  const toLatest = () => {
    target.current = "latest";
    if (view.hasAfter) void store.sync.history.load(roomId);
    setSpan(spanAround(messages, Infinity));
  };
  return { list, shown, isEnd, atBottom, goTo, toLatest };
}

/** Where one was in the room, if that is still known. */
function keptPlace(roomId: string, view: RoomView): Anchor | null {
  const place = places.get(roomId);
  return place && view.messages.some((message) => message.id === place.id) ? place : null;
}

function bring(box: HTMLElement, row: HTMLElement, block: "center" | "start"): void {
  const room = block === "start" ? BELOW_EDGE : (box.clientHeight - row.offsetHeight) / 2;
  box.scrollTop += topOf(box, row) - room;
}
