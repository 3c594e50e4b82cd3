import type { Message } from "../../../src/wire/models.ts";
import type { RoomView } from "../state/model.ts";
import { places } from "../state/places.ts";
import { type Span, spanAround } from "../state/span.ts";
import { type Anchor, topOf } from "./scroll-anchor.ts";

/** Where a row is scrolled to: the middle, the upper edge, or below some messages that were read. */
export type Block = "center" | "start" | "unread";

/** The height of the smallest row, in pixels. */
const MIN_ROW = 27;
/** Pixels above a row at the upper edge: the sticky heading of its day. */
const STICKY_HEADING = 46;
/** Pixels of read messages that stay visible above the first unread one. */
const ABOVE_UNREAD = 150;

/** A span that fills the screen above and below a message. */
export function spanOnScreen(messages: Message[], seq: number): Span {
  return seq === Infinity
    ? spanAround(messages, seq)
    : spanAround(messages, seq, Math.ceil(innerHeight / MIN_ROW));
}

/** The stored position in the room, if its message is still loaded. */
export function storedPosition(roomId: string, view: RoomView): Anchor | null {
  const place = places.get(roomId);
  const isLoaded = place && view.messages.some((message) => message.id === place.id);
  return isLoaded ? { ...place, scrollTop: 0 } : null;
}

export function scrollToRow(box: HTMLElement, row: HTMLElement, block: Block): void {
  const center = (box.clientHeight - row.offsetHeight) / 2;
  const unread = Math.min(ABOVE_UNREAD, box.clientHeight / 3);
  const offset = { center, start: STICKY_HEADING, unread }[block];
  box.scrollTop += topOf(box, row) - offset;
}
