import { type IconNode, MailOpen, MessageSquareText, Reply } from "lucide";
import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { navigateTo } from "../session/navigation.ts";
import { setQuote } from "../session/quoting.ts";
import { store } from "../session/store.ts";
import { markUnreadFrom } from "../session/thread-actions.ts";
import { directOf } from "../state/model/conversation.ts";
import { quoteOf } from "../state/model/message-list.ts";
import { placeKey } from "../state/drafts/place-key.ts";
import { threadPath } from "../state/route.ts";
import { t } from "../words/translate.ts";

export type MessageAction = {
  icon: IconNode;
  label: string;
  /** The key that runs it on a focused message, as `nameOfKey` names it. */
  shortcut?: string;
  danger?: boolean;
  /** Whether it has a button of its own; the others are in a menu. */
  isButton?: boolean;
  run(): void;
};

/** Whether the reader can reply to a message in its thread, or at least open that. */
function hasThread(room: MyRoom, message: Message): boolean {
  if (message.thread || message.thread_id) return true;
  return !directOf(room) && room.threads === "on" && !room.is_archived && !message.deleted_at;
}

/** Quoting a message, and the thread that it begins or is in. */
export function replyActions(room: MyRoom, message: Message, inThread?: string): MessageAction[] {
  const { id, thread_id } = message;
  const actions: MessageAction[] = [];
  if (!room.is_archived && !message.deleted_at) {
    const run = () => {
      setQuote(placeKey({ roomId: room.id, threadId: inThread ?? null }), quoteOf(message));
      const composer = document.querySelector<HTMLElement>(
        `${inThread ? ".thread-pane" : ".pane"} .composer textarea`,
      );
      composer?.focus();
    };
    actions.push({ icon: Reply, label: t("message.quote"), shortcut: "Q", isButton: true, run });
  }
  if (!inThread && hasThread(room, message)) {
    const label = message.thread ? t("thread.open") : t("thread.reply");
    const run = () =>
      navigateTo(threadPath(room.name, thread_id ?? id, thread_id ? id : undefined));
    actions.push({ icon: MessageSquareText, label, shortcut: "T", isButton: true, run });
  }
  const isFollowed = inThread && store.state.value.views[inThread]?.thread?.isFollowing;
  if (isFollowed && id !== inThread) {
    const run = () => void markUnreadFrom(inThread, id);
    actions.push({ icon: MailOpen, label: t("thread.unread-from"), shortcut: "U", run });
  }
  return actions;
}
