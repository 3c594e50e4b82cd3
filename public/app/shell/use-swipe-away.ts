import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { watchSwipes } from "../parts/swipe.ts";
import { NARROW } from "../parts/use-media.ts";

/** Where the page is narrow, a finger pushes a sheet out to the right, where it came from. */
export function useSwipeAway(sheet: RefObject<HTMLElement | null>, onClose: () => void): void {
  const close = useRef(onClose);
  close.current = onClose;
  // At once: a finger may come down before anything is painted.
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
