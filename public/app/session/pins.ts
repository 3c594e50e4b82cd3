import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { directOf } from "../state/model/conversation.ts";
import { isAuthor } from "../state/model/model.ts";
import { store } from "./store.ts";
import { reportOutcome } from "./toasts.ts";
import { t } from "../words/translate.ts";

/** Whether I may pin or unpin a message, by the same rule as the service. */
export function mayPin(room: MyRoom, message: Message): boolean {
  if (room.is_archived) return false;
  if (directOf(room) || room.membership?.role !== "member") return true;
  const me = store.me.value;
  if (!message.pinned) return room.pinning === "members";
  return message.pinned.by?.id === me?.id || isAuthor(me, message);
}

/** Pins a message or unpins it, with undo. */
export function togglePin(message: Message): void {
  const isPinned = Boolean(message.pinned);
  reportOutcome(
    setPinned(message, !isPinned),
    () => t(isPinned ? "pin.is-unpinned" : "pin.is-pinned"),
    () => {
      reportOutcome(setPinned(message, isPinned), () => t("room-menu.undone"));
    },
  );
}

async function setPinned({ id }: Message, pinned: boolean): Promise<void> {
  if (pinned) await store.call("PUT /api/messages/:id/pin", { params: { id } });
  else await store.call("DELETE /api/messages/:id/pin", { params: { id } });
}
