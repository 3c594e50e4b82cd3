import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { getRest, restLoaded } from "./load-rest.tsx";
import type { watchSwipes } from "./swipe.ts";

type Swipes = Parameters<typeof watchSwipes>;

/** Watches the swipes of an element; the code is loaded after the first screen. */
export function useSwipes(
  root: RefObject<HTMLElement | null>,
  begin: Swipes[1],
  end: Swipes[2],
): void {
  // Before the first paint, so that no touch is missed.
  useLayoutEffect(() => {
    const element = root.current;
    let stop: (() => void) | null | undefined;
    const start = (rest: ReturnType<typeof getRest>) => {
      if (stop === undefined && element && rest) stop = rest.watchSwipes(element, begin, end);
    };
    start(getRest());
    void restLoaded.then(start);
    return () => {
      stop?.();
      stop = null;
    };
  }, []);
}

/**
 * Runs the action of a list's row that is swiped to the left.
 * @param isAllowed called when a touch begins
 */
export function useRowSwipe(
  row: RefObject<HTMLElement | null>,
  onSwipe: () => void,
  isAllowed: () => boolean = () => true,
): void {
  const latest = useRef({ onSwipe, isAllowed });
  latest.current = { onSwipe, isAllowed };
  useSwipes(
    row,
    ({ currentTarget }) => {
      const element = currentTarget as HTMLElement;
      return latest.current.isAllowed() ? { element, from: 0, to: -element.offsetWidth } : null;
    },
    (element, isFarEnough) => {
      if (isFarEnough) latest.current.onSwipe();
      element.style.transform = "";
    },
  );
}
