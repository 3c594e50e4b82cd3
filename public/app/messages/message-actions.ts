import { Copy, Link, Pencil, Trash2 } from "lucide";
import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { copyText } from "../session/copy-text.ts";
import { deletions, store } from "../session/store.ts";
import { showToast } from "../session/toasts.ts";
import { mayDeleteOfOthers } from "../state/model/former-conversation.ts";
import { isAuthor } from "../state/model/model.ts";
import { messagePath } from "../state/route.ts";
import { editing } from "../composer/editing.ts";
import { rowKey } from "./active-message.ts";
import { focusBeside, focusMessage } from "./focus-message.ts";
import { pinActions, saveActions, unreadAction } from "./keep-actions.ts";
import { replyActions } from "./reply-actions.ts";
import { t } from "../words/translate.ts";

import type { MessageAction } from "./reply-actions.ts";

/** The actions of a message, besides reactions. */
export function messageActions(room: MyRoom, message: Message, inThread?: string): MessageAction[] {
  const { id, content } = message;
  const isMine = isAuthor(store.me.value, message);
  const actions = replyActions(room, message, inThread);
  // A deleted root has no content to copy or save.
  if (!message.deleted_at) actions.push(...saveActions(message));
  if (isMine && !room.is_archived && !message.deleted_at) {
    const run = () => {
      editing.value = rowKey(id, inThread);
    };
    actions.push({ icon: Pencil, label: t("message.edit"), shortcut: "E", run });
  }
  if (!message.deleted_at) actions.push(...pinActions(room, message));
  if (content) {
    const run = () => copyText(content);
    actions.push({ icon: Copy, label: t("message.copy"), shortcut: "C", run });
  }
  const address = location.origin + messagePath(room, message);
  actions.push({
    icon: Link,
    label: t("message.copy-link"),
    shortcut: "L",
    run: () => copyText(address, t("message.link-copied")),
  });
  if (!inThread && !message.deleted_at) actions.push(unreadAction(message));
  if ((isMine || mayDeleteOfOthers(room, message)) && !message.deleted_at) {
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

/** Whether the reader may react to a message. */
export function mayReact(room: MyRoom, message: Message): boolean {
  return !room.is_archived && !message.deleted_at;
}
