import { useLayoutEffect, useRef } from "preact/hooks";
import { isDrawerOpen } from "../session/navigation.ts";
import { useEscape } from "../parts/escape.ts";
import { DRAWER, useMedia } from "../parts/use-media.ts";
import { useSwipes } from "../parts/use-swipes.ts";

/**
 * On a narrow page that is not a phone, the sidebar is a drawer: Esc closes it, and the focus
 * follows.
 * @returns `shell` for the outermost element, and whether there is a drawer, open or closed
 */
export function useSidebarDrawer() {
  const shell = useRef<HTMLDivElement>(null);
  const hasDrawer = useMedia(DRAWER);
  const state = !hasDrawer ? "none" : isDrawerOpen.value ? "out" : "in";
  useDrawerSwipes(shell, hasDrawer);
  useEscape(
    () => isDrawerOpen.value,
    () => (isDrawerOpen.value = false),
  );
  useLayoutEffect(() => {
    const list = sidebar();
    const current = list?.querySelector<HTMLElement>("[aria-current]");
    if (state === "out")
      (current ?? list?.querySelector<HTMLElement>("nav a"))?.focus({ preventScroll: true });
    else if (state === "in" && list?.contains(document.activeElement)) {
      document.querySelector<HTMLElement>(".menu-button button")?.focus();
    }
  }, [state]);
  return { shell, state };
}

function sidebar(): HTMLElement | null {
  return document.querySelector<HTMLElement>(".sidebar");
}

/** The width of the edge where swipes start, in pixels; swipes elsewhere are ignored. */
const EDGE_PX = 24;
/** Overlays handle swipes themselves. */
const OVER = "dialog, [popover], .room-panel";

/**
 * Opens the drawer by a swipe from the edge, and closes it by a swipe back.
 * @param shell the outermost element
 */
function useDrawerSwipes(shell: { current: HTMLElement | null }, hasDrawer: boolean): void {
  const hasDrawerNow = useRef(hasDrawer);
  hasDrawerNow.current = hasDrawer;
  useSwipes(
    shell,
    ({ clientX, target }) => {
      const element = document.querySelector<HTMLElement>(".sidebar");
      if (!hasDrawerNow.current || !element || (target instanceof Element && target.closest(OVER)))
        return null;
      const width = element.offsetWidth;
      if (isDrawerOpen.value) return { element, from: 0, to: -width };
      return clientX < EDGE_PX ? { element, from: -width, to: 0 } : null;
    },
    (_, isFarEnough) => {
      if (isFarEnough) isDrawerOpen.value = !isDrawerOpen.value;
    },
  );
}
