import { DEFAULT_PAGE } from "../../../src/wire/limits.ts";
import type { Message } from "../../../src/wire/models.ts";
import type { RoomView } from "../state/model/model.ts";
import { places } from "../state/timeline/places.ts";
import { type Span, spanAround, spanFrom } from "../state/timeline/span.ts";
import { type Anchor, topOf } from "./scroll-anchor.ts";

/** Where a row is scrolled to: the middle, the upper edge, or below some messages that were read. */
export type Block = "center" | "start" | "unread";

/** The height of the smallest row, in pixels. */
const MIN_ROW = 27;
/** The least height of everything above and below the list, in pixels. */
const AROUND_LIST = 120;
/** Pixels above a row at the upper edge: the sticky heading of its day. */
const STICKY_HEADING = 46;
/** Pixels of read messages that stay visible above the first unread one. */
const ABOVE_UNREAD = 150;

/** A span that fills the screen above and below a message. */
export function spanOnScreen(messages: Message[], seq: number): Span {
  return spanAround(messages, seq, Math.ceil(innerHeight / MIN_ROW));
}

/**
 * The span of the first paint: messages that are added later are outside of the screen. A room that
 * begins within its first page is rendered whole, since the text at its beginning moves everything
 * below it.
 * @param storedSeq the number of the message at the stored position
 * @param unread that of the first unread message, which is scrolled to below some read ones
 */
export function firstSpan(
  { messages, hasBefore }: RoomView,
  storedSeq?: number,
  unread?: number,
): Span {
  const isWhole = !hasBefore && messages.length <= DEFAULT_PAGE;
  if (isWhole && messages[0]) return { from: messages[0].seq, to: Infinity };
  if (storedSeq !== undefined) return spanOnScreen(messages, storedSeq);
  const rows = Math.ceil((innerHeight - AROUND_LIST) / MIN_ROW);
  if (unread === undefined) return spanAround(messages, Infinity, rows);
  return spanFrom(messages, unread, Math.ceil(ABOVE_UNREAD / MIN_ROW), rows);
}

/** The stored position in the room, if its message is still loaded. */
export function storedPosition(roomId: string, view: RoomView): Anchor | null {
  const place = places.get(roomId);
  const isLoaded = place && view.messages.some((message) => message.id === place.id);
  return isLoaded ? { ...place, scrollTop: 0 } : null;
}

/** Scrolls a list so that a row is in its middle, at its top, or below some read messages. */
export function scrollToRow(box: HTMLElement, row: HTMLElement, block: Block): void {
  const center = (box.clientHeight - row.offsetHeight) / 2;
  const unread = Math.min(ABOVE_UNREAD, box.clientHeight / 3);
  const offset = { center, start: STICKY_HEADING, unread }[block];
  box.scrollTop += topOf(box, row) - offset;
}
