import { useEffect } from "preact/hooks";
import { store } from "../session/store.ts";
import { Icon } from "../parts/icon.tsx";
import { Sheet } from "../parts/sheet.tsx";
import { messageActions } from "./message-actions.ts";
import { QuickReactions } from "./reactions.tsx";
import { t } from "../words/translate.ts";

type SheetProps = { roomId: string; messageId: string; onClose(): void };

const QUICK = 6;

/** What can be done with a message, for a finger: reactions, then a list with words. */
export function MessageSheet({ roomId, messageId, onClose }: SheetProps) {
  const { rooms, views } = store.state.value;
  const room = rooms?.[roomId];
  const message = views[roomId]?.messages.find(({ id }) => id === messageId);
  const isGone = !room || !message;
  // It may be deleted by someone else meanwhile.
  useEffect(() => {
    if (isGone) onClose();
  }, [isGone]);
  if (isGone) return null;
  return (
    <Sheet label={t("message.actions")} onClose={onClose}>
      {!room.is_archived && (
        <div class="quick-row">
          <QuickReactions message={message} most={QUICK} onDone={onClose} />
        </div>
      )}
      <ul>
        {messageActions(room, message).map(({ icon, label, danger, run }) => (
          <li key={label}>
            <button
              type="button"
              class={danger ? "danger" : undefined}
              onClick={() => {
                onClose();
                run();
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
