import { nameOf } from "./person.tsx";
import { store } from "./store.ts";
import {
  type DirectFacts,
  directOf,
  type DirectRoom,
  partnersOf,
} from "../state/model/conversation.ts";
import { formatList, t } from "../words/translate.ts";
import { labelOf } from "../parts/place-label.ts";
import type { MyRoom, User } from "../../../src/wire/models.ts";
import { directWith } from "../state/conversations/directs.ts";
import { directPath } from "../state/route.ts";
import { navigateTo } from "./navigation.ts";
import { storeIfSpace, tabStore } from "../connection/storage.ts";
import { NEW_DIRECT_KEY } from "./forget-tab.ts";

/**
 * The name of a conversation: the names of the other people, or "notes" for a conversation with
 * yourself.
 */
export function nameOfDirect(direct: Pick<DirectFacts, "kind" | "members">): string {
  if (direct.kind === "self") return t("direct.notes");
  return formatList(partnersOf(direct, store.me.value?.id).map(nameOf));
}

/** A room or conversation as a sentence names it. */
export function nameOfPlace(room: MyRoom): string {
  const direct = directOf(room);
  return direct ? nameOfDirect(direct) : labelOf(room);
}

/** Gives a conversation the name under which it is shown like a room. */
export function withName(room: DirectRoom): DirectRoom {
  return { ...room, name: nameOfDirect(room.direct) };
}

/**
 * Opens the conversation with these people. A conversation that does not exist yet is created only
 * by its first message.
 * @param people without me; nobody for notes to myself
 */
export function openDirectWith(people: User[]): void {
  const ids = people.map(({ id }) => id);
  const existing = directWith(store.state.value, ids);
  if (existing) {
    navigateTo(directPath(existing.id));
    return;
  }
  const me = store.me.value?.id ?? "";
  storeIfSpace(tabStore, NEW_DIRECT_KEY, JSON.stringify(people));
  navigateTo(`/direct/to/${(ids.length > 0 ? ids : [me]).join(",")}`);
}

/**
 * The people of a conversation that does not exist yet, even after a reload; null if they are
 * unknown.
 */
export function readNewDirect(userIds: string[]): User[] | null {
  const others = userIds.filter((id) => id !== store.me.value?.id);
  if (others.length === 0) return [];
  try {
    const people = JSON.parse(tabStore.getItem(NEW_DIRECT_KEY) ?? "[]") as User[];
    return people.map(({ id }) => id).join() === others.join() ? people : null;
  } catch {
    return null;
  }
}
