import { PHONE } from "../parts/use-media.ts";
import { navigateTo } from "./navigation.ts";

const addressOf = (path: string, query: string) => `${path}?${new URLSearchParams({ q: query })}`;

/** Opens the search: beside the screen, or on a phone as a screen of its own. */
export function openSearch(query: string): void {
  navigateTo(addressOf(matchMedia(PHONE).matches ? "/search" : location.pathname, query));
}

/** Writes the query into the address, without a new entry in the browser's history. */
export function setSearch(query: string): void {
  navigateTo(addressOf(location.pathname, query), true);
}

/** Closes the search and stays at the page below it. */
export function closeSearch(): void {
  navigateTo(location.pathname);
}
