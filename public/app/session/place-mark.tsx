import { Hash } from "lucide";
import { Icon } from "../parts/icon.tsx";
import { RoomIcon } from "../parts/room-icon.tsx";
import { store } from "./store.ts";
import { conversationById } from "../state/model/model.ts";
import { Faces } from "./faces.tsx";

/** The icon of a room or the faces of a conversation, in the size of a row's picture. */
export function PlaceMark({ roomId }: { roomId: string }) {
  const conversation = conversationById(store.state.value, roomId);
  if (conversation?.kind === "direct") return <Faces direct={conversation.direct} size={32} />;
  return (
    <span class="room-mark grid muted round rigid middle">
      {conversation ? <RoomIcon room={conversation} /> : <Icon of={Hash} />}
    </span>
  );
}
