import { AlarmClock, Bookmark, BookmarkX, MailOpen, Pin, PinOff } from "lucide";
import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { markUnread } from "../session/mark-unread.ts";
import { overlay } from "../session/overlay.ts";
import { mayPin, togglePin } from "../session/pins.ts";
import { isSaved, toggleSaved } from "../session/save-message.ts";
import { t } from "../words/translate.ts";

/** Saves a message for later, at once or with a time. */
export function saveActions({ id }: Message) {
  const label = t(isSaved(id) ? "later.remove" : "later.save");
  const remind = () => {
    overlay.value = { name: "remind", messageId: id };
  };
  const save = { icon: isSaved(id) ? BookmarkX : Bookmark, label, shortcut: "S", isButton: true };
  return [
    { ...save, run: () => toggleSaved(id) },
    { icon: AlarmClock, label: t("later.remind"), shortcut: "Shift+S", run: remind },
  ];
}

/** Pins a message, or unpins it. */
export function pinActions(room: MyRoom, message: Message) {
  if (!mayPin(room, message)) return [];
  const isPinned = Boolean(message.pinned);
  const label = t(isPinned ? "pin.unpin" : "pin.pin");
  const run = () => togglePin(message);
  return [{ icon: isPinned ? PinOff : Pin, label, shortcut: "P", run }];
}

/** Marks the room unread from a message on. */
export function unreadAction(message: Message) {
  const run = () => markUnread(message);
  return { icon: MailOpen, label: t("unread.mark"), shortcut: "U", run };
}
