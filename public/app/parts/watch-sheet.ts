import { watchSwipes } from "./swipe.ts";
import { slideOut } from "./use-swipe-away.ts";

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
    (_, isThere) => {
      if (isThere) void slideOut(sheet, "translateY(100%)", close);
    },
  );
}
