import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { parseRoute, type Route } from "../state/route.ts";

/** The route of the page's address. */
export const route = signal<Route>(parseRoute(location.pathname, location.hash));
/** The screen below a dialog that has its own address; closing the dialog navigates to it. */
export const background = signal<{ route: Route; path: string }>({
  route: { name: "home" },
  path: "/",
});
/** The title that a screen other than a room gives the page. */
export const screenTitle = signal<string | null>(null);
/** On a phone: whether the sidebar is open. */
export const isDrawerOpen = signal(false);

/** The search query: `q` of the address; null if the address has none. */
export const searched = signal<string | null>(null);

/** The panel beside a room that the address names: its pins; null where the address names no panel. */
export const panel = signal<string | null>(null);

/** @param replace replaces the current entry of the browser's history */
export function navigateTo(path: string, replace = false): void {
  if (path !== location.pathname + location.search + location.hash) {
    if (replace) history.replaceState(null, "", path);
    else history.pushState(null, "", path);
  }
  followAddress();
}

/** Navigates without a reload when a link is followed or the browser goes back or forward. */
export function watchAddress(): void {
  followAddress();
  addEventListener("popstate", followAddress);
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey) return;
    if (event.shiftKey || event.altKey || !(event.target instanceof Element)) return;
    const link = event.target.closest("a");
    if (!link || link.origin !== location.origin || link.target || link.download) return;
    event.preventDefault();
    navigateTo(link.pathname + link.search + link.hash);
  });
}

/** Replaces the address when it is rendered. */
export function Redirect({ to }: { to: string }) {
  useEffect(() => navigateTo(to, true), [to]);
  return null;
}

function followAddress(): void {
  isDrawerOpen.value = false;
  const current = parseRoute(location.pathname, location.hash);
  const query = new URLSearchParams(location.search);
  searched.value = query.get("q");
  panel.value = query.get("panel");
  if (current.name !== "profile")
    background.value = { route: current, path: location.pathname + location.search };
  route.value = current;
}
