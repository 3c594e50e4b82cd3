import { useEffect } from "preact/hooks";
import { store } from "../session/store.ts";
import { Icon } from "../parts/icon.tsx";
import { Sheet } from "../parts/popup.tsx";
import { conversationById } from "../state/model/model.ts";
import { mayReact, messageActions } from "./message-actions.ts";
import { QuickReactions } from "./message-tools.tsx";
import { namesOf } from "./reactions.tsx";
import { senderOf } from "./message-author.tsx";
import { toPlainText } from "../../../src/wire/markdown/plain.ts";
import { t } from "../words/translate.ts";
import type { DialogProps } from "../session/overlay.ts";

const MAX_QUICK_REACTIONS = 6;

/** The actions of a message on a touch screen: reactions and a list of the others. */
export function MessageSheet({ roomId, messageId, inThread, onClose }: DialogProps<"message">) {
  const room = conversationById(store.state.value, roomId);
  const { messages = [], thread } = store.state.value.views[inThread ?? roomId] ?? {};
  const message = [...messages, ...(thread?.root ? [thread.root] : [])].find(
    ({ id }) => id === messageId,
  );
  const isGone = !room || !message;
  // Someone may delete the message while the sheet is open.
  useEffect(() => {
    if (isGone) onClose();
  }, [isGone]);
  if (isGone) return null;
  // The sheet covers the message.
  const title = t("name-and-text", {
    name: senderOf(message),
    text: toPlainText(message.content ?? "") || t("pin.no-text"),
  });
  return (
    <Sheet label={t("message.actions")} title={title} onClose={onClose}>
      {mayReact(room, message) && (
        <div class="quick-row border-bottom flex between">
          <QuickReactions message={message} max={MAX_QUICK_REACTIONS} onDone={onClose} />
        </div>
      )}
      {message.reactions.length > 0 && (
        <ul class="reacted border-bottom small" aria-label={t("activity.reaction")}>
          {message.reactions.map(({ emoji, user_ids }) => (
            <li key={emoji} class="flex gap-12">
              <span class="rigid">{emoji}</span>
              <span class="words">{namesOf(user_ids, store.me.value?.id ?? "")}</span>
            </li>
          ))}
        </ul>
      )}
      <ul>
        {messageActions(room, message, inThread).map(({ icon, label, danger, onSelect }) => (
          <li key={label} class={danger ? "border-top" : ""}>
            <button
              type="button"
              class={`row gap-16 full rounded ${danger ? "danger" : ""}`}
              onClick={() => {
                onClose();
                onSelect();
              }}
            >
              <Icon of={icon} />
              {label}
            </button>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
