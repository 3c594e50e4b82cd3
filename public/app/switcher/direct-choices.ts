import { nameOfDirect } from "../session/direct.ts";
import { store } from "../session/store.ts";
import type { Choice } from "../state/search/choices.ts";
import { partnersOf } from "../state/model/conversation.ts";
import { directList } from "../state/model/model.ts";

type DirectChoice = Choice & { kind: "direct" };

/** My conversations; a conversation with one other person is found under their name. */
export function directChoices(): DirectChoice[] {
  return directList(store.state.value).map((room) => {
    const name = nameOfDirect(room.direct);
    return { kind: "direct", key: room.id, label: name, room };
  });
}

/** Removes people with whom I already have a conversation. */
export function withoutPairs(people: Choice[], directs: DirectChoice[]): Choice[] {
  const pairs = directs.filter(({ room }) => room.direct.kind !== "group");
  const partnerIds = new Set(
    pairs.flatMap(({ room }) => partnersOf(room.direct, store.me.value?.id).map((user) => user.id)),
  );
  return people.filter((person) => person.kind !== "person" || !partnerIds.has(person.user.id));
}
