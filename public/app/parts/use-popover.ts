import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

/** What a popover opens beside: an element, or the place of the pointer. */
export type Anchor = Pick<Element, "getBoundingClientRect">;

/** The place of the pointer, for a menu that opens there. */
export function pointOf({ clientX, clientY }: MouseEvent): Anchor {
  const point = new DOMRect(clientX, clientY, 0, 0);
  return { getBoundingClientRect: () => point };
}

/** Pixels to the button, and to the edge of the page. */
const GAP = 4;
const MARGIN = 8;

/**
 * Opens a popover beside its button, and focuses the first element of a kind in it. Esc, and a click
 * elsewhere, close it.
 * @param first a selector
 */
export function usePopover(
  ref: RefObject<HTMLElement | null>,
  anchor: Anchor | null,
  first: string,
  onClose: () => void,
): void {
  useEffect(() => {
    const popover = ref.current;
    if (!popover || !anchor) return;
    popover.showPopover();
    place(popover, anchor);
    popover.querySelector<HTMLElement>(first)?.focus();
    const onToggle = (event: ToggleEvent) => event.newState === "closed" && onClose();
    popover.addEventListener("toggle", onToggle);
    return () => popover.removeEventListener("toggle", onToggle);
  }, []);
}

/**
 * Below the button, or above it where there is no space, within the page. The oldest browsers that Snug
 * supports have no anchor positioning in CSS.
 */
export function place(popover: HTMLElement, anchor: Anchor): void {
  const at = anchor.getBoundingClientRect();
  const { width, height } = popover.getBoundingClientRect();
  const below = at.bottom + GAP;
  const top = below + height < innerHeight ? below : at.top - height - GAP;
  popover.style.top = `${limit(top, innerHeight - height)}px`;
  // A menu at the pointer begins there; beside a button it ends where the button does.
  const left = at.width === 0 ? at.left : at.right - width;
  popover.style.left = `${limit(left, innerWidth - width)}px`;
}

/** A place from the start of the page; what is larger than the page begins with it. */
function limit(start: number, space: number): number {
  return Math.max(MARGIN, Math.min(start, space - MARGIN));
}
