import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import { ONE_PANE } from "./use-media.ts";
import { useSwipes } from "./use-swipes.ts";
import { watchSwipes } from "./swipe.ts";

/** On a narrow page, a swipe to the right closes the sheet. */
export function useSwipeAway(sheet: RefObject<HTMLElement | null>, onClose: () => void): void {
  const close = useRef(onClose);
  close.current = onClose;
  useSwipes(
    sheet,
    ({ currentTarget, target }) => {
      const isInOverlay = target instanceof Element && target.closest("dialog, [popover]");
      if (isInOverlay || !matchMedia(ONE_PANE).matches) return null;
      const element = currentTarget as HTMLElement;
      return { element, from: 0, to: element.offsetWidth };
    },
    (element, isFarEnough) => {
      if (isFarEnough) void slideOut(element, "translateX(100%)", () => close.current());
    },
  );
}

/** Moves an element out of the page, and then closes it. */
async function slideOut(element: HTMLElement, end: string, close: () => void): Promise<void> {
  element.style.transform = end;
  await Promise.allSettled(element.getAnimations().map(({ finished }) => finished));
  close();
  // A sheet that asks before it closes stays open.
  element.style.transform = "";
}

/** Elements in which a vertical swipe scrolls, selects text or moves a picture. */
const OWN_SWIPES = "textarea, canvas, iframe";

/**
 * Closes a sheet whose content is scrolled to the top by a swipe down.
 * @returns a function that stops watching
 */
export function watchSheet(sheet: HTMLElement, close: () => void): () => void {
  return watchSwipes(
    sheet,
    ({ target }) => {
      if (!(target instanceof Element) || !sheet.matches(".sheet")) return null;
      // A dialog above the sheet is its descendant.
      if (target.closest("dialog, [popover]") !== sheet || target.closest(OWN_SWIPES)) return null;
      for (let at: Element | null = target; at !== sheet.parentElement; at = at.parentElement) {
        if (!at || at.scrollTop > 0) return null;
      }
      return { element: sheet, from: 0, to: sheet.offsetHeight, isVertical: true };
    },
    (_, isFarEnough) => {
      if (isFarEnough) void slideOut(sheet, "translateY(100%)", close);
    },
  );
}
