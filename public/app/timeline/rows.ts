import type { Place } from "../state/places.ts";
import type { SeqRange } from "../state/seen.ts";

/** A row that stays where it is while others come, go and grow, and where its list was scrolled to then. */
export type Anchor = Place & { scrollTop: number };

export const rowOf = (list: HTMLElement, id: string): HTMLElement | null =>
  list.querySelector(`[data-message-id="${CSS.escape(id)}"]`);

/**
 * The message at a height of the page, or the first below it.
 * @param y in pixels from the top of the viewport
 */
export function anchorAt(list: HTMLElement, y: number): Anchor | null {
  const row = rowAt(list, y);
  const { messageId: id, seq } = row?.dataset ?? {};
  return row && id
    ? { id, seq: Number(seq), top: topOf(list, row), scrollTop: list.scrollTop }
    : null;
}

/** The numbers of the messages that can be seen, if only a line of them; null where there is none. */
export function visibleRange(list: HTMLElement): SeqRange | null {
  const { top, bottom } = list.getBoundingClientRect();
  const first = rowAt(list, top + LINE);
  let last = rowAt(list, bottom - LINE);
  // The last row that is drawn ends further up, or this one begins below the edge.
  if (last && last.getBoundingClientRect().top > bottom - LINE) last = rowBefore(list, last);
  if (!first || !last) return null;
  return { from: Number(first.dataset.seq), to: Number(last.dataset.seq) };
}

/**
 * Brings a row back to where it was, whatever has moved it.
 * @returns the row where it is now. Its `top` is not rounded as scroll positions are, so that errors
 *   do not add up.
 */
export function restore(list: HTMLElement, anchor: Anchor): Anchor {
  const row = rowOf(list, anchor.id);
  const moved = row ? topOf(list, row) - anchor.top : 0;
  // Even setting what it is would end a phone's throw.
  if (Math.abs(moved) >= 1) list.scrollTop += moved;
  return { ...anchor, scrollTop: list.scrollTop };
}

/** Undoes what has moved a row since it was measured, other than scrolling. */
export function settle(list: HTMLElement, anchor: Anchor): Anchor {
  const scrolled = list.scrollTop - anchor.scrollTop;
  return restore(list, { ...anchor, top: anchor.top - scrolled });
}

/** The row at a height, with the part of a pixel by which another row is off its place. */
export function anchorAfter(list: HTMLElement, y: number, settled: Anchor | null): Anchor | null {
  const anchor = anchorAt(list, y);
  const row = settled && rowOf(list, settled.id);
  const off = row ? settled.top - topOf(list, row) : 0;
  return anchor && Math.abs(off) < 1 ? { ...anchor, top: anchor.top + off } : anchor;
}

/** Pixels from the list's upper edge. */
export function topOf(list: HTMLElement, row: HTMLElement): number {
  return row.getBoundingClientRect().top - list.getBoundingClientRect().top;
}

/** About a line of text, in pixels. */
const LINE = 20;

/** The row at a height of the page, the first below it, or the last. */
function rowAt(list: HTMLElement, y: number): HTMLElement | undefined {
  const rows = rowsOf(list);
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.getBoundingClientRect().bottom ?? 0) <= y) low = middle + 1;
    else high = middle;
  }
  return rows[low];
}

function rowBefore(list: HTMLElement, row: HTMLElement): HTMLElement | undefined {
  const rows = [...rowsOf(list)];
  return rows[rows.indexOf(row) - 1];
}

const rowsOf = (list: HTMLElement) => list.querySelectorAll<HTMLElement>("[data-message-id]");
