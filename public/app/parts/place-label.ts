import type { MyRoom } from "../../../src/wire/models.ts";
import { t } from "../words/translate.ts";
import { directOf } from "../state/direct-room.ts";

/** The label of the field in which one writes there. */
export function describeWriting(room: MyRoom): string {
  if (directOf(room)?.kind === "self") return t("direct.write-note");
  return t("composer.message", { room: labelOf(room) });
}

/** What a room or a conversation is called in a sentence; a conversation has its people's names as name. */
export function labelOf(room: MyRoom): string {
  return directOf(room) ? room.name : `#${room.name}`;
}
