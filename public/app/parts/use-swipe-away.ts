import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { watchSwipes } from "./swipe.ts";
import { NARROW } from "./use-media.ts";

/** On a narrow page, a swipe to the right closes the sheet. */
export function useSwipeAway(sheet: RefObject<HTMLElement | null>, onClose: () => void): void {
  const close = useRef(onClose);
  close.current = onClose;
  // Before the first paint, so that no touch is missed.
  useLayoutEffect(() => {
    if (!sheet.current) return;
    return watchSwipes(
      sheet.current,
      ({ currentTarget, target }) => {
        const isOver = target instanceof Element && target.closest("dialog, [popover]");
        if (isOver || !matchMedia(NARROW).matches) return null;
        const element = currentTarget as HTMLElement;
        return { element, from: 0, to: element.offsetWidth };
      },
      async (element, isThere) => {
        if (!isThere) return;
        element.style.transform = "translateX(100%)";
        await Promise.allSettled(element.getAnimations().map(({ finished }) => finished));
        close.current();
      },
    );
  }, []);
}
