import { background } from "../session/navigation.ts";
import { store } from "../session/store.ts";
import { conversationById } from "../state/model/model.ts";
import type { SearchInput } from "../state/search/search-query.ts";

/** The filter of the room or conversation that is open; null on any other screen. */
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

/** Names the room that `in:here` means, so that the query means the same elsewhere. */
export function resolveHere({ chips, text }: SearchInput): SearchInput {
  const named = chips.flatMap((chip) => (chip === "in:here" ? (hereFilter() ?? []) : chip));
  return { chips: [...new Set(named)], text };
}
