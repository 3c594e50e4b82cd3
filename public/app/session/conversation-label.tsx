import { toPlainText } from "../../../src/wire/markdown/plain.ts";
import type { Message, RoomRef } from "../../../src/wire/models.ts";
import { conversationById } from "../state/model/model.ts";
import { directPath, placePath, roomPath, threadPath } from "../state/route.ts";
import { nameOfDirect } from "./direct.ts";
import { store } from "./store.ts";
import { t } from "../words/translate.ts";
import { RoomMark } from "../parts/list-row.tsx";
import { Faces } from "./faces.tsx";

/** The text of a message as lists show it, or the name of its file. */
export function describeContent({ content, file }: Pick<Message, "content" | "file">): string {
  return content ? toPlainText(content) : (file?.name ?? t("pin.no-text"));
}

/** The name of a room, or the people of a conversation. Its icon is shown beside it. */
export function describePlace(roomId: string, room: RoomRef | null = null): string {
  const conversation = conversationById(store.state.value, roomId);
  if (conversation?.kind === "direct") return nameOfDirect(conversation.direct);
  const name = conversation?.name ?? room?.name;
  return name ?? t(room ? "direct.title" : "drafts.no-room");
}

/** Names a room or conversation within a sentence: "#ops". */
export function labelPlace(roomId: string, room: RoomRef | null): string {
  const isRoom = conversationById(store.state.value, roomId)?.kind === "room" || room?.name != null;
  return isRoom ? `#${describePlace(roomId, room)}` : describePlace(roomId, room);
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

/** The icon of a room or the faces of a conversation, in the size of a row's picture. */
export function PlaceMark({ roomId }: { roomId: string }) {
  const conversation = conversationById(store.state.value, roomId);
  if (conversation?.kind === "direct") return <Faces direct={conversation.direct} size={32} />;
  return <RoomMark room={conversation} />;
}
