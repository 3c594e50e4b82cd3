import type { ScrollPosition } from "../state/timeline/span.ts";
import type { SeqRange } from "../state/timeline/seen.ts";

/**
 * A row whose position on the screen stays the same while others change, and the list's scroll
 * position.
 */
export type Anchor = ScrollPosition & { scrollTop: number };

/** The row of a message; for a folded reply, the row above. */
export function findRow(list: HTMLElement, id: string, seq: number): HTMLElement | null {
  const row = list.querySelector<HTMLElement>(`[data-message-id="${CSS.escape(id)}"]`);
  if (row) return row;
  const holds = (other: HTMLElement) =>
    Number(other.dataset.seq) <= seq && seq <= lastSeqOf(list, other);
  return [...rowsOf(list)].find(holds) ?? null;
}

/**
 * The row at a vertical position, or the first one below it.
 * @param y in pixels from the top of the viewport
 */
function anchorAt(list: HTMLElement, y: number): Anchor | null {
  const row = rowAt(list, y);
  return row ? anchorOf(list, row) : null;
}

export function anchorOf(list: HTMLElement, row: HTMLElement): Anchor | null {
  const { messageId: id, seq } = row.dataset;
  return id ? { id, seq: Number(seq), top: topOf(list, row), scrollTop: list.scrollTop } : null;
}

/** The `seq` of the first and last message of which at least a line is visible; null if no message is. */
export function visibleRange(list: HTMLElement): SeqRange | null {
  const { top, bottom } = list.getBoundingClientRect();
  const first = rowAt(list, top + LINE);
  let last = rowAt(list, bottom - LINE);
  // The last rendered row ends above the list, or the first visible row starts below it.
  if (last && last.getBoundingClientRect().top > bottom - LINE) last = rowBefore(list, last);
  if (!first || !last) return null;
  return { from: Number(first.dataset.seq), to: lastSeqOf(list, last) };
}

/**
 * The last number before the next row. At the end of the list, folded replies may follow the last
 * row.
 */
function lastSeqOf(list: HTMLElement, row: HTMLElement): number {
  const rows = [...rowsOf(list)];
  const next = rows[rows.indexOf(row) + 1];
  const { seq, to = seq } = row.dataset;
  return next ? Number(next.dataset.seq) - 1 : Math.max(Number(to), Number(list.dataset.to ?? to));
}

/**
 * Scrolls the list so that a row is where it was.
 * @returns the row's new position. `top` is not rounded, unlike scroll positions, so that errors
 *   do not add up.
 */
export function restoreAnchor(list: HTMLElement, anchor: Anchor): Anchor {
  const row = findRow(list, anchor.id, anchor.seq);
  const moved = row ? topOf(list, row) - anchor.top : 0;
  // Even an assignment of the same value ends momentum scrolling on a phone.
  if (Math.abs(moved) >= 1) list.scrollTop += moved;
  return { ...anchor, scrollTop: list.scrollTop };
}

/** Reverts every movement of a row since it was measured, except scrolling. */
export function settleAnchor(list: HTMLElement, anchor: Anchor): Anchor {
  const scrolled = list.scrollTop - anchor.scrollTop;
  return restoreAnchor(list, { ...anchor, top: anchor.top - scrolled });
}

/** Chooses a new anchor at a vertical position, and keeps the sub-pixel error of the old anchor. */
export function anchorAfter(list: HTMLElement, y: number, settled: Anchor | null): Anchor | null {
  const anchor = anchorAt(list, y);
  const row = settled && findRow(list, settled.id, settled.seq);
  const off = row ? settled.top - topOf(list, row) : 0;
  return anchor && Math.abs(off) < 1 ? { ...anchor, top: anchor.top + off } : anchor;
}

/** The distance of a row from the list's upper edge, in pixels. */
export function topOf(list: HTMLElement, row: HTMLElement): number {
  return row.getBoundingClientRect().top - list.getBoundingClientRect().top;
}

/** The approximate height of a line of text, in pixels. */
const LINE = 20;

/** The row at a vertical position, or the first one below it, or the last one. */
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
