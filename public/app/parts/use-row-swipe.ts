import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import { useSwipes } from "./use-swipes.ts";

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
    (element, isThere) => {
      if (isThere) latest.current.onSwipe();
      element.style.transform = "";
    },
  );
}
