import { Ellipsis } from "lucide";
import { useEffect } from "preact/hooks";
import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { IconButton } from "../parts/button.tsx";
import { Menu } from "../parts/menu.tsx";
import { recentEmoji } from "../parts/emoji/recent.ts";
import { t } from "../words/translate.ts";
import { actionKeys } from "./active-message.ts";
import { messageActions } from "./message-actions.ts";
import { AddReaction, toggleOn } from "./reactions.tsx";

const MAX_QUICK_REACTIONS = 3;

/** The toolbar of a message that is hovered or has the focus; most actions are in its menu. */
export function MessageTools({ room, message }: { room: MyRoom; message: Message }) {
  const actions = messageActions(room, message);
  const more = actions.filter(({ isButton }) => !isButton);
  useEffect(() => {
    const runs = more.map(({ shortcut = "", run }) => [shortcut, run] as const);
    actionKeys.set(message.id, Object.fromEntries(runs));
    return () => void actionKeys.delete(message.id);
  });
  return (
    <div class="tools" role="toolbar" aria-label={t("message.actions")}>
      {!room.is_archived && <QuickReactions message={message} max={MAX_QUICK_REACTIONS} />}
      {actions
        .filter(({ isButton }) => isButton)
        .map(({ icon, label, shortcut, run }) => (
          <IconButton key={label} icon={icon} label={label} shortcut={shortcut} onClick={run} />
        ))}
      <Menu
        icon={Ellipsis}
        label={t("message.more")}
        items={more.map(({ run, ...item }) => ({ ...item, onSelect: run }))}
      />
    </div>
  );
}

type QuickProps = { message: Message; max: number; onDone?(): void };

/** Buttons for the emoji that were used last, and for the picker. */
export function QuickReactions({ message, max, onDone }: QuickProps) {
  return (
    <>
      {recentEmoji.value.slice(0, max).map((emoji) => (
        <button
          key={emoji}
          type="button"
          class="icon-button quick"
          title={t("react.with", { emoji })}
          aria-label={t("react.with", { emoji })}
          onClick={() => {
            toggleOn(message, emoji);
            onDone?.();
          }}
        >
          {emoji}
        </button>
      ))}
      <AddReaction message={message} class="icon-button" onDone={onDone} />
    </>
  );
}
