import { toPlainText } from "../../../src/wire/markdown/plain.ts";
import type { RoomRef } from "../../../src/wire/models.ts";
import type { Message } from "../../../src/wire/models.ts";
import { conversationById } from "../state/model/model.ts";
import { directPath, placePath, roomPath, threadPath } from "../state/route.ts";
import { nameOfDirect } from "./direct.ts";
import { store } from "./store.ts";
import { t } from "../words/translate.ts";

/** The beginning of a message as lists show it. */
export function describeKept({ content, file }: Pick<Message, "content" | "file">): string {
  return content ? toPlainText(content) : (file?.name ?? t("pin.no-text"));
}

/** "#ops", or the people of a conversation; null for one that I am no longer in. */
export function describePlace(roomId: string, room: RoomRef | null = null): string {
  const conversation = conversationById(store.state.value, roomId);
  if (conversation?.kind === "direct") return nameOfDirect(conversation.direct);
  const name = conversation?.name ?? room?.name;
  if (name) return `#${name}`;
  return t(room ? "direct.title" : "drafts.no-room");
}

/** The address of a room or conversation, hidden ones included; null for one that I am no longer in. */
export function pathOfPlace(
  roomId: string,
  room: RoomRef | null,
  threadId: string | null = null,
): string | null {
  const conversation = conversationById(store.state.value, roomId);
  if (conversation)
    return threadId ? threadPath(conversation.name, threadId) : placePath(conversation);
  if (!room) return null;
  return room.name === null ? directPath(roomId) : roomPath(room.name);
}
