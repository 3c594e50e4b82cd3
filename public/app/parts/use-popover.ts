import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

/** What a popover opens beside: an element, or the position of the pointer. */
export type Anchor = Pick<Element, "getBoundingClientRect">;

/**
 * The edge of its button with which a popover is aligned: a menu with its end, a card with its start.
 */
export type Side = "start" | "end";

/** The distance to the button and to the edges of the page, in pixels. */
const GAP = 4;
const MARGIN = 8;

/**
 * Opens a popover beside its button, and focuses an element in it. Esc or a click elsewhere closes
 * it.
 * @param first selects the element to focus
 */
export function usePopover(
  ref: RefObject<HTMLElement | null>,
  anchor: Anchor | null,
  first: string,
  onClose: () => void,
  side: Side = "end",
): void {
  useEffect(() => {
    const popover = ref.current;
    if (!popover || !anchor) return;
    popover.showPopover();
    place(popover, anchor, side);
    popover.querySelector<HTMLElement>(first)?.focus();
    const onToggle = (event: ToggleEvent) => event.newState === "closed" && onClose();
    popover.addEventListener("toggle", onToggle);
    return () => popover.removeEventListener("toggle", onToggle);
  }, []);
}

/**
 * Places a popover below its anchor, or above it if there is no space, within the page. The oldest
 * supported browsers have no CSS anchor positioning.
 */
export function place(popover: HTMLElement, anchor: Anchor, side: Side = "end"): void {
  const at = anchor.getBoundingClientRect();
  const { width, height } = popover.getBoundingClientRect();
  const below = at.bottom + GAP;
  const top = below + height < innerHeight ? below : at.top - height - GAP;
  popover.style.top = `${limit(top, innerHeight - height)}px`;
  // A menu opened at the pointer starts at the pointer.
  const left = at.width === 0 || side === "start" ? at.left : at.right - width;
  popover.style.left = `${limit(left, innerWidth - width)}px`;
}

/** Keeps a popover within the page; one that is larger than the page starts at its edge. */
function limit(start: number, space: number): number {
  return Math.max(MARGIN, Math.min(start, space - MARGIN));
}
