import { nameOf } from "./person.tsx";
import { store } from "./store.ts";
import { type DirectFacts, type DirectRoom, partnersOf } from "../state/model/conversation.ts";
import { formatList, t } from "../words/translate.ts";

/** The name of a conversation: its other people, or notes to oneself. */
export function nameOfDirect(direct: Pick<DirectFacts, "kind" | "members">): string {
  if (direct.kind === "self") return t("direct.notes");
  return formatList(partnersOf(direct, store.me.value?.id).map(nameOf));
}

/** A conversation with its name, in the form of a room. */
export function withName(room: DirectRoom): DirectRoom {
  return { ...room, name: nameOfDirect(room.direct) };
}
