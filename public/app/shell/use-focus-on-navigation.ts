import { useEffect, useRef } from "preact/hooks";
import { background } from "../session/navigation.ts";
import { store } from "../session/store.ts";
import { roomByName } from "../state/model/model.ts";

/**
 * Moves the focus to the new screen after navigation: the link may be gone from the page, and a screen
 * reader announces the place. A screen that sets the focus itself keeps it.
 * @param isEntered whether the first screen replaces another one, such as the sign-in
 */
export function useFocusOnNavigation(isEntered: boolean): void {
  const here = background.value.route;
  const isKnown = store.state.value.conversations !== null;
  // If the reader is removed from a room, the screen changes at the same address.
  const place =
    here.name === "room"
      ? `${here.room} ${roomByName(store.state.value, here.room) !== undefined}`
      : here.name === "direct"
        ? here.id
        : here.name;
  const before = useRef<string | null>(null);
  useEffect(() => {
    // Until the rooms are loaded, no screen is shown.
    if (!isKnown) return;
    const isFirst = before.current === null;
    before.current = place;
    if (isFirst && !isEntered) return;
    const main = document.querySelector<HTMLElement>("main");
    const { activeElement } = document;
    if (!main || main.contains(activeElement) || activeElement?.closest("dialog, .search-panel"))
      return;
    const target = main.querySelector<HTMLElement>("h1") ?? main;
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }, [place, isKnown]);
}
