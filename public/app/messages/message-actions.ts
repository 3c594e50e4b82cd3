import { Copy, type IconNode, Link, Pencil, Trash2 } from "lucide";
import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { deletions, store } from "../session/store.ts";
import { showToast } from "../session/toasts.ts";
import { wrote } from "../state/model.ts";
import { placePath } from "../state/route.ts";
import { editing } from "../composer/editing.ts";
import { focusBeside, focusMessage } from "./focus-message.ts";
import { pinActions, saveActions, unreadAction } from "./keep-actions.ts";
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

/** The actions of a message, besides reactions. */
export function messageActions(room: MyRoom, message: Message): MessageAction[] {
  const { id, content } = message;
  const isMine = wrote(store.me.value, message);
  const role = room.membership?.role ?? "member";
  const actions: MessageAction[] = [...saveActions(message)];
  if (isMine && !room.is_archived) {
    const run = () => {
      editing.value = id;
    };
    actions.push({ icon: Pencil, label: t("message.edit"), shortcut: "E", run });
  }
  actions.push(...pinActions(room, message));
  if (content) {
    const run = () => void copy(content, t("message.copied"));
    actions.push({ icon: Copy, label: t("message.copy"), shortcut: "C", run });
  }
  const address = location.origin + placePath(room, id);
  actions.push({
    icon: Link,
    label: t("message.copy-link"),
    shortcut: "L",
    run: () => void copy(address, t("message.link-copied")),
  });
  actions.push(unreadAction(message));
  if (isMine || role !== "member") {
    const run = () => {
      focusBeside(id);
      deletions.begin(id);
      showToast(t("message.deleted"), () => {
        deletions.undo(id);
        focusMessage(id);
      });
    };
    const label = t("message.delete");
    actions.push({ icon: Trash2, label, shortcut: "Delete", danger: true, run });
  }
  return actions;
}

async function copy(text: string, done: string): Promise<void> {
  await navigator.clipboard.writeText(text).then(
    () => showToast(done),
    () => showToast(t("message.no-copy")),
  );
}
