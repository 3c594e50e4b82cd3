import { autoUpdate, computePosition, flip, offset, type Placement, shift } from "@floating-ui/dom";
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
  side?: Side,
): void {
  useEffect(() => {
    const popover = ref.current;
    if (!popover || !anchor) return;
    popover.showPopover();
    const stop = keepBeside(popover, anchor, side);
    popover.querySelector<HTMLElement>(first)?.focus();
    const onToggle = (event: ToggleEvent) => event.newState === "closed" && onClose();
    popover.addEventListener("toggle", onToggle);
    return () => {
      stop();
      popover.removeEventListener("toggle", onToggle);
    };
  }, []);
}

/**
 * Keeps a popover below its anchor, or above or beside it if there is no space, within the page, while
 * either moves or grows. The oldest supported browsers have no CSS anchor positioning.
 * @returns a function that stops it
 */
export function keepBeside(popover: HTMLElement, anchor: Anchor, side: Side = "end"): () => void {
  // A menu opened at the pointer starts at the pointer.
  const isPoint = anchor.getBoundingClientRect().width === 0;
  // Below the composer is only the edge of the page, or the bar.
  const isInComposer = anchor instanceof Element && anchor.closest(".composer") !== null;
  const placement: Placement = `${isInComposer ? "top" : "bottom"}-${isPoint ? "start" : side}`;
  const padding = MARGIN;
  const middleware = [
    offset(GAP),
    flip({ padding, crossAxis: false, fallbackAxisSideDirection: "start" }),
    shift({ crossAxis: true, padding }),
  ];
  return autoUpdate(anchor, popover, async () => {
    // An anchor that was rendered again leaves the popover where it was.
    if (anchor instanceof Element && !anchor.isConnected) return;
    const { x, y } = await computePosition(anchor, popover, {
      placement,
      middleware,
      strategy: "fixed",
    });
    popover.style.left = `${x}px`;
    popover.style.top = `${y}px`;
  });
}
