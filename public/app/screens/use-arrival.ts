import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { behind, drawer, store } from "../app.ts";
import { roomByName } from "../state/model.ts";

/**
 * Takes the focus along to where one goes: what was followed may be gone from the page, and whoever
 * listens to it hears where they are. A screen that puts it somewhere itself keeps it there.
 */
export function useArrival(): void {
  const here = behind.value.route;
  const isKnown = store.state.value.rooms !== null;
  // A room that is taken away becomes another screen under the same address.
  const place =
    here.name === "room"
      ? `${here.room} ${roomByName(store.state.value, here.room) !== undefined}`
      : here.name;
  const before = useRef<string | null>(null);
  useEffect(() => {
    // Until the rooms are known, nothing has been arrived at.
    if (!isKnown) return;
    const isFirst = before.current === null;
    before.current = place;
    if (isFirst) return;
    const main = document.querySelector<HTMLElement>("main");
    const { activeElement } = document;
    if (!main || main.contains(activeElement) || activeElement?.closest("dialog")) return;
    const target = main.querySelector<HTMLElement>("h1") ?? main;
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }, [place, isKnown]);
}

const NARROW = "(max-width: 640px)";

/** The list of rooms on a phone: what it lies over is out of reach, and Esc puts it away. */
export function useDrawer(): void {
  const isOut = drawer.value;
  // At once: the next key may follow before anything is painted.
  useLayoutEffect(() => {
    if (!isOut) return;
    const opener = document.activeElement;
    const main = document.querySelector<HTMLElement>("main");
    if (main) main.inert = true;
    const sidebar = document.querySelector<HTMLElement>(".sidebar");
    const current = sidebar?.querySelector<HTMLElement>("[aria-current]");
    (current ?? sidebar?.querySelector("a"))?.focus();
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") drawer.value = false;
    };
    const wide = matchMedia(NARROW);
    const onWide = () => (drawer.value = false);
    addEventListener("keydown", onKey);
    wide.addEventListener("change", onWide);
    return () => {
      removeEventListener("keydown", onKey);
      wide.removeEventListener("change", onWide);
      if (main) main.inert = false;
      const isInside = document.activeElement?.closest(".sidebar") !== null;
      if (isInside && opener instanceof HTMLElement) opener.focus();
    };
  }, [isOut]);
}
