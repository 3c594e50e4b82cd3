import { useEffect } from "preact/hooks";
import { store } from "../session/store.ts";
import { Icon } from "../parts/icon.tsx";
import { Sheet } from "../parts/sheet.tsx";
import { messageActions } from "./message-actions.ts";
import { QuickReactions } from "./message-tools.tsx";
import { t } from "../words/translate.ts";

type SheetProps = { roomId: string; messageId: string; onClose(): void };

const MAX_QUICK_REACTIONS = 6;

/** The actions of a message on a touch screen: reactions and a list. */
export function MessageSheet({ roomId, messageId, onClose }: SheetProps) {
  const { rooms, views } = store.state.value;
  const room = rooms?.[roomId];
  const message = views[roomId]?.messages.find(({ id }) => id === messageId);
  const isGone = !room || !message;
  // Someone may delete the message while the sheet is open.
  useEffect(() => {
    if (isGone) onClose();
  }, [isGone]);
  if (isGone) return null;
  return (
    <Sheet label={t("message.actions")} onClose={onClose}>
      {!room.is_archived && (
        <div class="quick-row">
          <QuickReactions message={message} max={MAX_QUICK_REACTIONS} onDone={onClose} />
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
