import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import { ONE_PANE } from "./use-media.ts";
import { useSwipes } from "./use-swipes.ts";

/** On a narrow page, a swipe to the right closes the sheet. */
export function useSwipeAway(sheet: RefObject<HTMLElement | null>, onClose: () => void): void {
  const close = useRef(onClose);
  close.current = onClose;
  useSwipes(
    sheet,
    ({ currentTarget, target }) => {
      const isOver = target instanceof Element && target.closest("dialog, [popover]");
      if (isOver || !matchMedia(ONE_PANE).matches) return null;
      const element = currentTarget as HTMLElement;
      return { element, from: 0, to: element.offsetWidth };
    },
    (element, isThere) => {
      if (isThere) void slideOut(element, "translateX(100%)", () => close.current());
    },
  );
}

/** Moves an element out of the page, and then closes it. */
export async function slideOut(
  element: HTMLElement,
  end: string,
  close: () => void,
): Promise<void> {
  element.style.transform = end;
  await Promise.allSettled(element.getAnimations().map(({ finished }) => finished));
  close();
  // A sheet that asks before it closes stays open.
  element.style.transform = "";
}
