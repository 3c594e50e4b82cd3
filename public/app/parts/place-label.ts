import type { MyRoom } from "../../../src/wire/models.ts";
import { t } from "../words/translate.ts";
import { directOf } from "../state/model/conversation.ts";
import { isPrivate } from "./room-icon.tsx";

/** The label of the composer's text field. */
export function describeWriting(room: MyRoom): string {
  if (directOf(room)?.kind === "self") return t("direct.write-note");
  return t("composer.message", { room: labelOf(room) });
}

/** The name of a room or conversation as its screen shows it, where a private room has a lock. */
export const titleOf = (room: MyRoom) => (isPrivate(room) ? room.name : labelOf(room));

/** The name of a room or conversation in a sentence; a conversation is named after its people. */
export function labelOf(room: MyRoom): string {
  return directOf(room) ? room.name : `#${room.name}`;
}
