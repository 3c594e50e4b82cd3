import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { readEntry } from "../parts/history-entry.ts";
import { getRest } from "../parts/load-rest.tsx";
import { parseRoute, type Route } from "../state/route.ts";

export const route = signal<Route>(parseRoute(location.pathname, location.hash));
/** The screen below a dialog that has its own address; closing the dialog navigates to it. */
export const background = signal<{
  route: Route;
  path: string;
  /** Counts the screens that the reader went to; a redirect does not count. */
  visit: number;
}>({
  route: { name: "home" },
  path: "/",
  visit: 0,
});
/** On a phone: whether a new account starts in its first room instead of at Home. */
export const startsInRoom = signal(false);
/** The page title set by a screen other than a room. */
export const screenTitle = signal<string | null>(null);
/** On a phone: whether the sidebar is open. */
export const isDrawerOpen = signal(false);

/** The search query, `q` in the address; null if absent. */
export const searched = signal<string | null>(null);

/** The tab of the panel beside a room, from the address; null if absent. */
export const panel = signal<string | null>(null);

const currentPath = () => location.pathname + location.search + location.hash;

/** The address from which the page came to the current one; null if it began here. */
const cameFrom = (): string | null => history.state?.from ?? null;

/** @param replace replaces the current entry of the browser history */
export function navigateTo(path: string, replace = false): void {
  const from = currentPath();
  if (path !== from) {
    if (replace) history.replaceState(history.state, "", path);
    else history.pushState({ from }, "", path);
  }
  followAddress(replace);
}

let leaving: Promise<void> | null = null;

/**
 * Closes what is open at the current address. If the reader came from `path`, this is the browser's
 * Back, so that a later Back does not open it again.
 * @param path the address without it; null for whatever was before
 * @param fallback where to go if nothing was before
 */
export function leaveTo(path: string | null, fallback = "/"): Promise<void> {
  const from = cameFrom();
  if (from === null || (path !== null && path !== from)) {
    navigateTo(path ?? fallback);
    return Promise.resolve();
  }
  // Until the browser has gone back, a second call would go back twice.
  leaving ??= new Promise<void>((resolve) => {
    addEventListener("popstate", () => resolve(), { once: true });
    // The screen may have entries of sheets above its own.
    history.go(-1 - (history.state.sheets ?? 0));
  }).finally(() => {
    leaving = null;
  });
  return leaving;
}

/** Navigates without a reload when a link is clicked or the browser goes back or forward. */
export function watchAddress(): void {
  followAddress();
  // The page was loaded again with a sheet open, whose entry would use up the reader's Back.
  if (history.state?.sheets) history.go(-history.state.sheets);
  addEventListener("popstate", () => getRest()?.leaveSheetEntry() || followAddress());
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey) return;
    if (event.shiftKey || event.altKey || !(event.target instanceof Element)) return;
    const link = event.target.closest("a");
    if (!link || link.origin !== location.origin || link.target || link.download) return;
    event.preventDefault();
    // The pages of the profile are one dialog, which Back leaves.
    navigateTo(link.pathname + link.search + link.hash, route.value.name === "profile");
  });
}

export function useScreenTitle(title: string | null | undefined): void {
  useEffect(() => {
    if (!title) return;
    screenTitle.value = title;
    return () => {
      if (screenTitle.peek() === title) screenTitle.value = null;
    };
  }, [title]);
}

/**
 * Replaces the address when it is rendered. Below the profile dialog, which has the address, only
 * the screen is replaced.
 */
export function Redirect({ to }: { to: string }) {
  useEffect(() => {
    if (route.peek().name !== "profile") navigateTo(to, true);
    else background.value = { ...background.peek(), route: parseRoute(to), path: to };
  }, [to]);
  return null;
}

function followAddress(replaced = false): void {
  readEntry();
  isDrawerOpen.value = false;
  const current = parseRoute(location.pathname, location.hash);
  const query = new URLSearchParams(location.search);
  searched.value = query.get("q");
  panel.value = query.get("panel");
  if (current.name !== "profile") {
    const visit = background.peek().visit + (replaced ? 0 : 1);
    background.value = { route: current, path: location.pathname + location.search, visit };
  }
  route.value = current;
}
