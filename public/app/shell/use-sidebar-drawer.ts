import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { isDrawerOpen } from "../session/navigation.ts";
import { isEscape } from "../parts/escape.ts";
import { PHONE, useMedia } from "../parts/use-media.ts";
import { watchSwipes } from "../parts/swipe.ts";

/**
 * On a phone the list of rooms is a drawer: Esc closes it, and the focus follows.
 * @returns `shell` for the element around all, and whether there is a drawer, open or closed
 */
export function useSidebarDrawer() {
  const shell = useRef<HTMLDivElement>(null);
  const isPhone = useMedia(PHONE);
  const state = !isPhone ? "none" : isDrawerOpen.value ? "out" : "in";
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isDrawerOpen.value || !isEscape(event)) return;
      event.preventDefault();
      isDrawerOpen.value = false;
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  useLayoutEffect(() => {
    const list = sidebar();
    const current = list?.querySelector<HTMLElement>("[aria-current]");
    if (state === "out")
      (current ?? list?.querySelector<HTMLElement>("nav a"))?.focus({ preventScroll: true });
    else if (state === "in" && list?.contains(document.activeElement)) {
      document.querySelector<HTMLElement>(".pane-head .only-phone")?.focus();
    }
  }, [state]);
  return { shell, state };
}

function sidebar(): HTMLElement | null {
  return document.querySelector<HTMLElement>(".sidebar");
}

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
