import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { store } from "../session/store.ts";
import type { Message } from "../../../src/wire/models.ts";
import type { RoomView } from "../state/model/model.ts";
import type { RoomHistory } from "../state/timeline/room-history.ts";
import {
  addNewer,
  addOlder,
  messagesIn,
  scrollPositions,
  type Span,
  spanAround,
  spanFrom,
  trimSpan,
} from "../state/timeline/span.ts";
import { ROW_RESIZING } from "../messages/message-body.tsx";
import {
  type Anchor,
  anchorAfter,
  anchorOf,
  restoreAnchor,
  findRow,
  settleAnchor,
  topOf,
} from "./scroll-anchor.ts";
import { placeDates } from "./history.tsx";
import { DEFAULT_PAGE } from "../../../src/wire/limits.ts";

/** The list follows new messages while it is within this many pixels of the newest. */
const NEAR_BOTTOM = 48;
/** More messages are rendered or loaded within this many pixels of an end. */
const NEAR_END = 1200;
/** Rows far from the visible part are removed after this time without scrolling. */
const REST_MS = 250;
/** How long a date that covers messages is shown after scrolling. */
const SHOWN_MS = 1_000;
type Target = { id: string; seq: number; block: Block } | "latest";

type PlaceOptions = {
  /** How many of the reader's messages are waiting to be sent. */
  sending: number;
  /** The message to open at: the first unread one. Null for the newest, or the stored position. */
  start: Message | null;
  /**
   * Whether missed messages are still arriving: until then the list stays at its start position.
   */
  isCatchingUp?: boolean;
  /** Called when rows may have become visible. `isScroll` is true if this was by scrolling. */
  onLook(list: HTMLElement, span: Span, isScroll: boolean): void;
  /** Loads more messages of a room or of a thread. */
  history?: RoomHistory;
};

/**
 * Keeps the scroll position of a room's messages. At the bottom it follows new messages; elsewhere
 * the row under the pointer, or else the row at the upper edge, keeps its position while others are
 * added, removed or resized. The list is a `column-reverse` box: browsers measure it from the
 * bottom, so neither following nor rows that are added above need scrolling.
 */
export function useScrollPosition(
  roomId: string,
  view: RoomView,
  { sending, start, isCatchingUp = false, onLook, history = store.sync.history }: PlaceOptions,
) {
  const list = useRef<HTMLDivElement>(null);
  const position = useRef(storedPosition(roomId, view));
  const [span, setSpan] = useState(() => firstSpan(view, position.current?.seq, start?.seq));
  const anchor = useRef<Anchor | null>(position.current);
  const following = useRef(!position.current && !start);
  const isOpened = useRef(false);
  const target = useRef<Target | null>(null);
  const pointer = useRef<number | null>(null);
  const resting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const showingDates = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const [atBottom, setAtBottom] = useState(following.current);
  const { ask, loadBefore } = useLoading(roomId, view, history);
  const { messages } = view;

  const visible = messagesIn(messages, span);
  const isEnd = span.to === Infinity && !view.hasAfter;

  /** Measures the scroll position after a change, and renders or loads more near the ends. */
  const look = ({ grows = true, isScroll = false } = {}) => {
    const box = list.current;
    if (!box) return;
    // Correct for rows that have grown since, or the wrong position would be kept.
    const settled = anchor.current && !following.current ? settleAnchor(box, anchor.current) : null;
    const below = -box.scrollTop;
    const above = box.scrollHeight - box.clientHeight - below;
    following.current = isEnd && below < NEAR_BOTTOM;
    const height = pointer.current ?? box.getBoundingClientRect().top + 1;
    anchor.current = anchorAfter(box, height, settled);
    setAtBottom(following.current);
    placeDates(box, Boolean(showingDates.current));
    if (grows && above < NEAR_END) {
      const more = addOlder(messages, span);
      if (more !== span) setSpan(more);
      else if (view.hasBefore && !view.stuck) loadBefore(isScroll);
    }
    if (grows && below < NEAR_END) {
      const more = addNewer(messages, span);
      if (more !== span) setSpan(more);
      else if (view.hasAfter && !view.stuck) void history.loadMore(roomId, "after");
    }
    // While it scrolls to a message, visible messages do not count as read.
    if (!target.current) onLook(box, span, isScroll);
  };

  /** Removes distant rows when scrolling stops; earlier, this would end momentum scrolling. */
  const trimAtRest = () => {
    clearTimeout(resting.current);
    resting.current = setTimeout(() => {
      const { messages, span } = latest.current;
      setSpan(trimSpan(messages, span, following.current ? Infinity : (anchor.current?.seq ?? 0)));
    }, REST_MS);
  };
  const latest = useRef({ look, span, messages });
  latest.current = { look, span, messages };

  useLayoutEffect(() => {
    const box = list.current;
    if (!box) {
      // The messages loaded instead are opened like a newly opened room.
      if (following.current) isOpened.current = false;
      return;
    }
    if (messages.length === 0) {
      // Render the first message at once, so that it counts as seen when it arrives.
      if (view.loaded && span.from !== 0) setSpan({ from: 0, to: Infinity });
      return;
    }
    if (!isOpened.current) {
      isOpened.current = !isCatchingUp;
      if (start && !position.current) target.current ??= { ...start, block: "unread" };
    }
    const aim = target.current;
    if (aim === "latest") {
      if (!isEnd) return;
      box.scrollTop = 0;
    } else if (aim) {
      const row = findRow(box, aim.id, aim.seq);
      if (row) scrollToRow(box, row, aim.block);
      else if (aim.seq < span.from || aim.seq > span.to)
        return setSpan(spanOnScreen(messages, aim.seq));
    } else if (visible.length === 0) {
      return setSpan(firstSpan(view));
    } else if (following.current) {
      box.scrollTop = 0;
    } else if (anchor.current) {
      anchor.current = restoreAnchor(box, anchor.current);
    }
    target.current = null;
    if (aim) anchor.current = null;
    look({ grows: false, isScroll: !aim && !following.current });
    // Render rows off the screen in another task, so that input is not delayed.
    const grow = requestAnimationFrame(() => setTimeout(() => latest.current.look()));
    trimAtRest();
    return () => cancelAnimationFrame(grow);
  }, [messages, span, sending, view.loaded, view.hasAfter]);

  const lastSending = useRef(sending);
  useLayoutEffect(() => {
    // A message that is sent scrolls into view.
    if (sending > lastSending.current) toLatest();
    lastSending.current = sending;
  }, [sending]);

  useEffect(() => {
    const box = list.current;
    if (!box) return;
    const onScroll = () => {
      // Only the reader's scrolling shows dates, and not the opening of a room or of a thread.
      if (showingDates.current) showDates();
      latest.current.look({ isScroll: true });
      trimAtRest();
    };
    // The height has changed, because of a phone's keyboard, a taller composer, or a loaded
    // preview.
    const resized = new ResizeObserver(() => {
      if (following.current) box.scrollTop = 0;
      else if (anchor.current) anchor.current = restoreAnchor(box, anchor.current);
      latest.current.look({ grows: false });
      // Adding rows in this frame would resize the list again and cause a "ResizeObserver loop"
      // error.
      requestAnimationFrame(() => {
        if (list.current) latest.current.look();
      });
    });
    const onPointer = (event: PointerEvent) => {
      if (event.pointerType !== "mouse") return;
      pointer.current = event.clientY;
      const settled =
        anchor.current && !following.current ? settleAnchor(box, anchor.current) : null;
      anchor.current = anchorAfter(box, event.clientY, settled);
    };
    const onLeave = () => {
      pointer.current = null;
    };
    const ending = new AbortController();
    const { signal } = ending;
    const onResizing = ({ target }: Event) => {
      const row = target instanceof Element && target.closest<HTMLElement>("[data-message-id]");
      if (!row) return;
      following.current = false;
      anchor.current = anchorOf(box, row);
    };
    box.addEventListener(ROW_RESIZING, onResizing, { signal });
    const showDates = () => {
      clearTimeout(showingDates.current);
      showingDates.current = setTimeout(() => {
        showingDates.current = undefined;
        placeDates(box, false);
      }, SHOWN_MS);
    };
    const onMove = ({ target, type }: Event) => {
      isOpened.current = true;
      // A press on the list itself moves its scrollbar.
      if (target === box || type !== "pointerdown") showDates();
    };
    for (const type of ["wheel", "touchmove", "keydown", "pointerdown"])
      box.addEventListener(type, onMove, { passive: true, signal });
    box.addEventListener("scroll", onScroll, { passive: true, signal });
    box.addEventListener("pointermove", onPointer, { passive: true, signal });
    box.addEventListener("pointerleave", onLeave, { signal });
    addEventListener("focus", () => latest.current.look(), { signal });
    // In print, all loaded messages are rendered.
    addEventListener("beforeprint", () => setSpan({ from: 0, to: Infinity }), { signal });
    addEventListener("afterprint", trimAtRest, { signal });
    resized.observe(box);
    if (box.firstElementChild) resized.observe(box.firstElementChild);
    return () => {
      clearTimeout(resting.current);
      clearTimeout(showingDates.current);
      ending.abort();
      resized.disconnect();
      if (following.current || !anchor.current) scrollPositions.delete(roomId);
      else scrollPositions.set(roomId, anchor.current);
    };
  }, [view.loaded]);

  const goTo = ({ id, seq }: { id: string; seq: number }, block: Block = "start") => {
    target.current = { id, seq, block };
    // A new object, so that the effect runs even if the row is already rendered.
    setSpan(spanOnScreen(store.state.value.views[roomId]?.messages ?? [], seq));
  };
  const toLatest = () => {
    target.current = "latest";
    if (view.hasAfter) {
      void history.load(roomId).then(() => {
        // If they cannot be loaded, the list stays where it is.
        if (store.state.value.views[roomId]?.problem) target.current = null;
      });
    }
    setSpan(spanAround(messages, Infinity));
  };
  return { list, shown: visible, isEnd, atBottom, ask, goTo, toLatest };
}

/**
 * The maximum number of pages loaded at the start without scrolling. Thousands of replies may fold
 * into one line, which would never fill the screen.
 */
const MAX_UNASKED = 10;

/**
 * Loads messages before the loaded ones, and after some pages waits for the reader to request more.
 */
function useLoading(roomId: string, { messages }: RoomView, history: RoomHistory) {
  /** How many pages were requested automatically, and the first message at the last request. */
  const unasked = useRef({ count: 0, first: "" });
  const [waits, setWaits] = useState(false);

  /** @param isAsked whether the reader requested it by scrolling, or with the button */
  const loadBefore = (isAsked: boolean) => {
    const { count, first } = isAsked ? { count: 0, first: "" } : unasked.current;
    const id = messages[0]?.id ?? "";
    const isAtLimit = count >= MAX_UNASKED && first !== id;
    setWaits(isAtLimit);
    if (isAtLimit) return;
    unasked.current = { count: first === id ? count : count + 1, first: id };
    void history.loadMore(roomId, "before");
  };
  return { loadBefore, ask: waits ? { onMore: () => loadBefore(true) } : {} };
}

/**
 * Where to scroll a row to: the middle, the upper edge, or with the "New" divider a quarter below
 * it.
 */
export type Block = "center" | "start" | "unread";

/** The height of the smallest row, in pixels. */
const MIN_ROW = 27;
/** The minimum height of everything above and below the list, in pixels. */
const AROUND_LIST = 120;
/** The height of the sticky day heading above a row at the upper edge, in pixels. */
const STICKY_HEADING = 46;
/** The fraction of the list above the "New" divider when a room is opened. */
const ABOVE_UNREAD = 1 / 4;

/** A span that fills the screen above and below a message. */
function spanOnScreen(messages: Message[], seq: number): Span {
  return spanAround(messages, seq, Math.ceil(innerHeight / MIN_ROW));
}

/**
 * The span of the first paint: messages that are added later are outside of the screen. A room that
 * begins within its first page is rendered whole, since the text at its beginning moves everything
 * below it.
 * @param storedSeq the number of the message at the stored position
 * @param unread the number of the first unread message, which is scrolled to below some read ones
 */
function firstSpan({ messages, hasBefore }: RoomView, storedSeq?: number, unread?: number): Span {
  const isWhole = !hasBefore && messages.length <= DEFAULT_PAGE;
  if (isWhole && messages[0]) return { from: messages[0].seq, to: Infinity };
  if (storedSeq !== undefined) return spanOnScreen(messages, storedSeq);
  const rows = Math.ceil((innerHeight - AROUND_LIST) / MIN_ROW);
  if (unread === undefined) return spanAround(messages, Infinity, rows);
  return spanFrom(messages, unread, Math.ceil((innerHeight * ABOVE_UNREAD) / MIN_ROW), rows);
}

/** The stored position in the room, if its message is still loaded. */
function storedPosition(roomId: string, view: RoomView): Anchor | null {
  const place = scrollPositions.get(roomId);
  const isLoaded = place && view.messages.some((message) => message.id === place.id);
  return isLoaded ? { ...place, scrollTop: 0 } : null;
}

/** Scrolls a list so that a row is in its middle, at its top, or below some read messages. */
function scrollToRow(box: HTMLElement, row: HTMLElement, block: Block): void {
  const center = (box.clientHeight - row.offsetHeight) / 2;
  const bar = box.parentElement?.querySelector<HTMLElement>(".unread-bar")?.offsetHeight ?? 0;
  const unread = box.clientHeight * ABOVE_UNREAD;
  const offset = { center, start: STICKY_HEADING + bar, unread }[block];
  const line = block === "unread" ? box.querySelector<HTMLElement>(".divider.new") : null;
  box.scrollTop += topOf(box, line ?? row) - offset;
}
