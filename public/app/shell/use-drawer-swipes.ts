import { useEffect } from "preact/hooks";
import { isDrawerOpen } from "../session/navigation.ts";
import { watchSwipes } from "../parts/swipe.ts";

/** Only from the edge, so that swipes elsewhere are ignored. */
const EDGE_PX = 24;
/** Overlays handle swipes themselves. */
const OVER = "dialog, [popover], .members, .sheet-scrim";

/**
 * A finger pulls the drawer out from the edge, and pushes it back.
 * @param shell the element around all
 */
export function useDrawerSwipes(shell: { current: HTMLElement | null }): void {
  useEffect(() => {
    if (!shell.current) return;
    return watchSwipes(
      shell.current,
      ({ clientX, target }) => {
        const element = document.querySelector<HTMLElement>(".sidebar");
        if (!element || (target instanceof Element && target.closest(OVER))) return null;
        const width = element.offsetWidth;
        if (isDrawerOpen.value) return { element, from: 0, to: -width };
        return clientX < EDGE_PX ? { element, from: -width, to: 0 } : null;
      },
      (_, isThere) => {
        if (isThere) isDrawerOpen.value = !isDrawerOpen.value;
      },
    );
  }, []);
}
