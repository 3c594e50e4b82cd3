import {
  AlarmClock,
  Bookmark,
  BookmarkX,
  Copy,
  Link,
  MailOpen,
  MessageSquareText,
  Pencil,
  Pin,
  PinOff,
  Reply,
  Trash2,
} from "lucide";
import type { Message, MyRoom } from "../../../src/wire/models.ts";
import type { RowAction } from "../parts/list-row.tsx";
import { copyText } from "../session/copy-text.ts";
import { store } from "../session/store.ts";
import { showToast, showError } from "../session/toasts.ts";
import { mayDeleteOfOthers } from "../state/model/former-conversation.ts";
import { isAuthor } from "../state/model/model.ts";
import { messagePath, threadPath } from "../state/route.ts";
import { editing } from "../composer/editing.ts";
import { rowKey } from "./active-message.ts";
import { focusBeside, focusMessage } from "./focus-message.ts";
import { t } from "../words/translate.ts";
import { markUnread } from "../session/mark-unread.ts";
import { openDialog } from "../session/overlay.ts";
import { mayPin, togglePin } from "../session/pins.ts";
import { isSaved, toggleSaved } from "../session/save-message.ts";
import { navigateTo } from "../session/navigation.ts";
import { setQuote } from "../session/write-draft.ts";
import { markUnreadFrom } from "../session/thread-actions.ts";
import { directOf } from "../state/model/conversation.ts";
import { quoteOf } from "../state/model/message-list.ts";
import { draftKey } from "../state/model/draft-copy.ts";
import { Deletions } from "../state/timeline/deletions.ts";

export function messageActions(room: MyRoom, message: Message, inThread?: string): MessageAction[] {
  const { id, content } = message;
  const isMine = isAuthor(store.me.value, message);
  const actions = replyActions(room, message, inThread);
  // A deleted root has no content to copy or save.
  if (!message.deleted_at) actions.push(...saveActions(message));
  if (isMine && !room.is_archived && !message.deleted_at) {
    const onSelect = () => {
      editing.value = rowKey(id, inThread);
    };
    actions.push({ icon: Pencil, label: t("message.edit"), shortcut: "E", onSelect });
  }
  if (!message.deleted_at) actions.push(...pinActions(room, message));
  if (content) {
    const onSelect = () => copyText(content);
    actions.push({ icon: Copy, label: t("message.copy"), shortcut: "C", onSelect });
  }
  const address = location.origin + messagePath(room, message);
  actions.push({
    icon: Link,
    label: t("message.copy-link"),
    shortcut: "L",
    onSelect: () => copyText(address, t("message.link-copied")),
  });
  if (!inThread && !message.deleted_at) actions.push(unreadAction(message));
  if ((isMine || mayDeleteOfOthers(room, message)) && !message.deleted_at) {
    const onSelect = () => {
      focusBeside(id);
      deletions.begin(id);
      showToast(t("message.deleted"), () => {
        deletions.undo(id);
        focusMessage(id);
      });
    };
    const label = t("message.delete");
    actions.push({ icon: Trash2, label, shortcut: "Delete", danger: true, onSelect });
  }
  return actions;
}

export function mayReact(room: MyRoom, message: Message): boolean {
  return !room.is_archived && !message.deleted_at;
}

/** The actions of a message in a list: to save it, and to mark its room unread from it on. */
export function listedMessageActions(message: Message, onUnread?: () => void): RowAction[] {
  const [save] = saveActions(message);
  const unread = unreadAction(message);
  return message.thread_id ? [save] : [save, { ...unread, onSelect: onUnread ?? unread.onSelect }];
}

function saveActions({ id }: Message) {
  const label = t(isSaved(id) ? "later.remove" : "later.save");
  const remind = () => openDialog({ name: "remind", messageId: id });
  const save = { icon: isSaved(id) ? BookmarkX : Bookmark, label, shortcut: "S", isButton: true };
  return [
    { ...save, onSelect: () => toggleSaved(id) },
    { icon: AlarmClock, label: t("later.remind"), shortcut: "Shift+S", onSelect: remind },
  ] as const;
}

function pinActions(room: MyRoom, message: Message) {
  if (!mayPin(room, message)) return [];
  const isPinned = Boolean(message.pinned);
  const label = t(isPinned ? "pin.unpin" : "pin.pin");
  const onSelect = () => togglePin(message);
  return [{ icon: isPinned ? PinOff : Pin, label, shortcut: "P", onSelect }];
}

function unreadAction(message: Message) {
  const onSelect = () => markUnread(message);
  return { icon: MailOpen, label: t("unread.mark"), shortcut: "U", onSelect };
}

type MessageAction = RowAction & {
  /** Whether it has its own button; the others are in a menu. */
  isButton?: boolean;
};

/** Whether the reader can reply to a message in a thread, or at least open its thread. */
function hasThread(room: MyRoom, message: Message): boolean {
  if (message.thread || message.thread_id) return true;
  return !directOf(room) && room.threads === "on" && !room.is_archived && !message.deleted_at;
}

/** The actions to quote a message, and to open or start its thread. */
function replyActions(room: MyRoom, message: Message, inThread?: string): MessageAction[] {
  const { id, thread_id } = message;
  const actions: MessageAction[] = [];
  if (!room.is_archived && !message.deleted_at) {
    const onSelect = () => {
      setQuote(draftKey({ roomId: room.id, threadId: inThread ?? null }), quoteOf(message));
      const composer = document.querySelector<HTMLElement>(
        `${inThread ? ".thread-pane" : ".pane"} .composer textarea`,
      );
      composer?.focus();
    };
    actions.push({
      icon: Reply,
      label: t("message.quote"),
      shortcut: "Q",
      isButton: true,
      onSelect,
    });
  }
  if (!inThread && hasThread(room, message)) {
    const label = message.thread ? t("thread.open") : t("thread.reply");
    const onSelect = () =>
      navigateTo(threadPath(room.name, thread_id ?? id, thread_id ? id : undefined));
    actions.push({ icon: MessageSquareText, label, shortcut: "T", isButton: true, onSelect });
  }
  const isFollowed = inThread && store.state.value.threads?.[inThread];
  if (isFollowed && id !== inThread) {
    const onSelect = () => void markUnreadFrom(inThread, id);
    actions.push({ icon: MailOpen, label: t("unread.mark"), shortcut: "U", onSelect });
  }
  return actions;
}

/** Deletes messages after a delay during which the deletion can be undone. */
export const deletions = new Deletions({
  api: store.api,
  clock: store.clock,
  change: store.change,
  onFailure: showError,
});

addEventListener("pagehide", () => deletions.flush());
