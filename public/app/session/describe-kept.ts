import { toPlainText } from "../../../src/wire/markdown/plain.ts";
import type { KeptRoom } from "../../../src/wire/keeping.ts";
import type { Message } from "../../../src/wire/models.ts";
import { placeById } from "../state/place-by-id.ts";
import { nameOfDirect } from "./direct-name.ts";
import { store } from "./store.ts";
import { t } from "../words/translate.ts";

/** The beginning of a message as lists show it. */
export function describeKept({ content, file }: Pick<Message, "content" | "file">): string {
  return content ? toPlainText(content) : (file?.name ?? t("pin.no-text"));
}

/** "#ops", or the people of a conversation; what I am no longer in has no name. */
export function describePlace(roomId: string, room: KeptRoom | null = null): string {
  const known = placeById(store.state.value, roomId);
  if (known && "direct" in known)
    return nameOfDirect(store.state.value.directs?.[roomId]?.direct ?? never());
  if (known) return `#${known.name}`;
  if (room?.name) return `#${room.name}`;
  return t(room ? "direct.title" : "drafts.no-room");
}

function never(): never {
  throw new Error("describePlace: a conversation that is not known");
}
