import type { Place } from "../state/places.ts";

/** A row that stays where it is while others come, go and grow. */
export type Anchor = Place;

export const rowOf = (list: HTMLElement, id: string): HTMLElement | null =>
  list.querySelector(`[data-message-id="${CSS.escape(id)}"]`);

/**
 * The message at a height of the page, or the first below it.
 * @param y in pixels from the top of the viewport
 */
export function anchorAt(list: HTMLElement, y: number): Anchor | null {
  const rows = list.querySelectorAll<HTMLElement>("[data-message-id]");
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.getBoundingClientRect().bottom ?? 0) <= y) low = middle + 1;
    else high = middle;
  }
  const { messageId: id, seq } = rows[low]?.dataset ?? {};
  return id ? { id, seq: Number(seq), top: topOf(list, rows[low] as HTMLElement) } : null;
}

/** Brings a row back to where it stood. */
export function restore(list: HTMLElement, anchor: Anchor): void {
  const row = rowOf(list, anchor.id);
  const moved = row ? topOf(list, row) - anchor.top : 0;
  // Even setting what it is would end a phone's throw.
  if (Math.abs(moved) >= 1) list.scrollTop += moved;
}

/** Pixels from the list's upper edge. */
export function topOf(list: HTMLElement, row: HTMLElement): number {
  return row.getBoundingClientRect().top - list.getBoundingClientRect().top;
}
