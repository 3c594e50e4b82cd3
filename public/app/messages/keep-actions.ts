import { MailOpen, Pin, PinOff } from "lucide";
import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { markUnread } from "../session/mark-unread.ts";
import { mayPin, togglePin } from "../session/pins.ts";
import { t } from "../words/translate.ts";

/** Pins a message, or unpins it. */
export function pinActions(room: MyRoom, message: Message) {
  if (!mayPin(room, message)) return [];
  const isPinned = message.pinned !== null;
  const label = t(isPinned ? "pin.unpin" : "pin.pin");
  const run = () => togglePin(message);
  return [{ icon: isPinned ? PinOff : Pin, label, shortcut: "P", run }];
}

/** Marks the room unread from a message on. */
export function unreadAction(message: Message) {
  const run = () => markUnread(message);
  return { icon: MailOpen, label: t("unread.mark"), shortcut: "U", run };
}
