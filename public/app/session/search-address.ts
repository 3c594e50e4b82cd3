import { PHONE } from "../parts/use-media.ts";
import { leaveTo, navigateTo } from "./navigation.ts";

const addressOf = (path: string, query: string) => `${path}?${new URLSearchParams({ q: query })}`;

/** Opens the search: beside the screen, or on a phone on its own screen. */
export function openSearch(query: string): void {
  navigateTo(addressOf(matchMedia(PHONE).matches ? "/search" : location.pathname, query));
}

/** Writes the query into the address, without a new entry in the browser's history. */
export function setSearch(query: string): void {
  navigateTo(addressOf(location.pathname, query), true);
}

/** Closes the search, and stays on the current page. */
export function closeSearch(): Promise<void> {
  return leaveTo(location.pathname);
}
