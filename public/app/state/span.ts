import type { Message } from "../../../src/wire/models.ts";

/**
 * Which of a room's known messages are drawn, by their numbers; both ends are in it. Ten thousand may be
 * known, a few screens of them are drawn. With `to` at Infinity it follows what comes.
 */
export type Span = { from: number; to: number };

/** Messages drawn at first on either side of the one that is looked at: a phone's screen, in one go. */
const FIRST = 20;
/** The rows that stay when those far away are dropped. */
const AROUND = 50;
/** Messages by which it grows when one comes near an end. */
const STEP = 20;
/** Above this, the far side is dropped when scrolling rests. */
const MAX_MESSAGES = 180;
/** Above this it is dropped at once. */
const LIMIT = 240;

/** The messages around a number; the newest for Infinity. Of no messages it holds none that may come. */
export function spanAround(messages: Message[], seq: number, reach = FIRST): Span {
  const at = Math.min(firstFrom(messages, seq), messages.length - 1);
  const last = at + reach;
  return {
    from: messages[Math.max(0, at - reach)]?.seq ?? Infinity,
    to: last >= messages.length - 1 ? Infinity : (messages[last]?.seq ?? Infinity),
  };
}

export function drawn(messages: Message[], { from, to }: Span): Message[] {
  return messages.slice(firstFrom(messages, from), firstFrom(messages, to + 1));
}

/** Grown upward; the same where there is no more. */
export function older(messages: Message[], span: Span): Span {
  const first = firstFrom(messages, span.from);
  if (first === 0) return span;
  const from = Math.max(0, first - STEP);
  const to = Math.min(span.to, messages[from + LIMIT]?.seq ?? Infinity);
  return { from: messages[from]?.seq ?? span.from, to };
}

/** Grown downward; the same where there is no more. */
export function newer(messages: Message[], span: Span): Span {
  if (span.to === Infinity) return span;
  const last = firstFrom(messages, span.to + 1) - 1 + STEP;
  const isLast = last >= messages.length - 1;
  const from = Math.max(span.from, messages[last - LIMIT]?.seq ?? 0);
  return { from, to: isLast ? Infinity : (messages[last]?.seq ?? Infinity) };
}

/** Without what is far from the number that is looked at, if it has become too much. */
export function trimmed(messages: Message[], span: Span, seq: number): Span {
  return drawn(messages, span).length > MAX_MESSAGES ? spanAround(messages, seq, AROUND) : span;
}

/** The place of the first message of that number or a later one; the length where there is none. */
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
