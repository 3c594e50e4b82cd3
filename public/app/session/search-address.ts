import { PHONE } from "../parts/use-media.ts";
import { leaveTo, navigateTo, background } from "./navigation.ts";
import { store } from "./store.ts";
import { openConversation } from "./open-conversation.ts";
import type { SearchInput } from "../state/search/search-query.ts";

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

/** The search filter for the open room or conversation; null on other screens. */
export function hereFilter(): string | null {
  const here = background.value.route;
  if (here.name === "room") return `in:${here.room}`;
  const conversation = openConversation.value;
  if (conversation?.kind !== "direct" || conversation.direct.kind === "group") return null;
  const { direct } = conversation;
  const me = store.me.value?.id;
  const other = direct.members.find(({ user }) => user.id !== me)?.user ?? store.me.value;
  return other ? `in:@${other.username}` : null;
}

/** Replaces `in:here` with the room's name, so that the query works anywhere. */
export function resolveHere({ chips, text }: SearchInput): SearchInput {
  const resolvedChips = chips.flatMap((chip) => (chip === "in:here" ? (hereFilter() ?? []) : chip));
  return { chips: [...new Set(resolvedChips)], text };
}

/** Opens the search in the open room or conversation. */
export function searchHere(): void {
  const filter = hereFilter();
  if (filter) openSearch(filter);
}
