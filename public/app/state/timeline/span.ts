import type { Message } from "../../../../src/wire/models.ts";

/**
 * The numbers of the first and last message that are rendered: a few screens of perhaps ten
 * thousand loaded messages. If `to` is Infinity, new messages are rendered as they arrive.
 */
export type Span = { from: number; to: number };

/** The default number of messages rendered on either side of the current one. */
const FIRST = 20;
/** How many messages stay on either side when distant ones are removed. */
const AROUND = 50;
/** How many messages are added when the reader comes near an end. */
const STEP = 20;
/** Above this number, the far side is removed when scrolling stops. */
const MAX_MESSAGES = 180;
/** Above this number, the far side is removed at once. */
const LIMIT = 240;

/** The span around a number, or around the newest message for Infinity; empty without messages. */
export function spanAround(messages: Message[], seq: number, reach = FIRST): Span {
  const at = Math.min(firstFrom(messages, seq), messages.length - 1);
  const last = at + reach;
  return {
    from: messages[Math.max(0, at - reach)]?.seq ?? Infinity,
    to: last >= messages.length - 1 ? Infinity : (messages[last]?.seq ?? Infinity),
  };
}

/**
 * The span that starts a few messages above a number, with at least this many rows below it, or
 * above it at the end of the list.
 */
export function spanFrom(messages: Message[], seq: number, above: number, rows: number): Span {
  const at = firstFrom(messages, seq);
  const last = at + rows;
  const end = Math.min(last, messages.length - 1);
  return {
    from: messages[Math.max(0, Math.min(at, end - rows) - above)]?.seq ?? Infinity,
    to: last >= messages.length - 1 ? Infinity : (messages[last]?.seq ?? Infinity),
  };
}

export function messagesIn(messages: Message[], { from, to }: Span): Message[] {
  return messages.slice(firstFrom(messages, from), firstFrom(messages, to + 1));
}

/** The span with more older messages; the same span if there are none. */
export function addOlder(messages: Message[], span: Span): Span {
  const first = firstFrom(messages, span.from);
  if (first === 0) return span;
  const from = Math.max(0, first - STEP);
  const to = Math.min(span.to, messages[from + LIMIT]?.seq ?? Infinity);
  return { from: messages[from]?.seq ?? span.from, to };
}

/** The span with more newer messages; the same span if there are none. */
export function addNewer(messages: Message[], span: Span): Span {
  if (span.to === Infinity) return span;
  const last = firstFrom(messages, span.to + 1) - 1 + STEP;
  const isLast = last >= messages.length - 1;
  const from = Math.max(span.from, messages[last - LIMIT]?.seq ?? 0);
  return { from, to: isLast ? Infinity : (messages[last]?.seq ?? Infinity) };
}

/** Shrinks the span to the messages around a number, if it is too large. */
export function trimSpan(messages: Message[], span: Span, seq: number): Span {
  return messagesIn(messages, span).length > MAX_MESSAGES
    ? spanAround(messages, seq, AROUND)
    : span;
}

/** The index of the first message with this number or a later one; the length if all numbers are smaller. */
function firstFrom(messages: Message[], seq: number): number {
  let low = 0;
  let high = messages.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((messages[middle]?.seq ?? 0) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A scroll position in a room: a message, and its distance in pixels from the upper edge. */
export type ScrollPosition = { id: string; seq: number; top: number };

/**
 * The scroll positions of rooms that were left above their newest message, while the page is open.
 */
export const scrollPositions = new Map<string, ScrollPosition>();
