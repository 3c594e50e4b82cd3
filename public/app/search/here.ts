import { background } from "../session/navigation.ts";
import { openSearch } from "../session/search-address.ts";
import { store } from "../session/store.ts";
import { conversationById } from "../state/model/model.ts";
import type { SearchInput } from "../state/search/search-query.ts";

/** The search filter for the open room or conversation; null on other screens. */
export function hereFilter(): string | null {
  const here = background.value.route;
  if (here.name === "room") return `in:${here.room}`;
  const conversation =
    here.name === "direct" ? conversationById(store.state.value, here.id) : undefined;
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
