import { Ellipsis } from "lucide";
import { useLayoutEffect } from "preact/hooks";
import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { IconButton } from "../parts/button.tsx";
import { openContextMenu } from "../parts/context-menu.tsx";
import { Menu } from "../parts/menu.tsx";
import { openPersonMenu } from "../people/open-person-menu.ts";
import { t } from "../words/translate.ts";
import { actionKeys, rowKey } from "./active-message.ts";
import { mayReact, messageActions } from "./message-actions.ts";
import { AddReaction, toggleOn } from "./reactions.tsx";

/** In an order that never changes, so that a hand learns it. */
const QUICK_REACTIONS = ["👍", "❤️", "😂", "🎉", "👀", "🙏"];
const MAX_QUICK_REACTIONS = 3;

/** `inThread` is the thread in which it is shown. */
type ToolsProps = { room: MyRoom; message: Message; inThread?: string };

/** The toolbar of a message that is hovered or has the focus; most actions are in its menu. */
export function MessageTools({ room, message, inThread }: ToolsProps) {
  // A thread is narrow: what is not needed all the time is in the menu there.
  const actions = messageActions(room, message, inThread).map((action) =>
    inThread && action.shortcut !== "Q" ? { ...action, isButton: false } : action,
  );
  const more = actions.filter(({ isButton }) => !isButton);
  // Before it is painted, so that no key comes too early.
  useLayoutEffect(() => {
    const runs = more.map(({ shortcut = "", run }) => [shortcut, run] as const);
    const key = rowKey(message.id, inThread);
    actionKeys.set(key, Object.fromEntries(runs));
    return () => void actionKeys.delete(key);
  });
  return (
    <div class="tools-place">
      <div class="tools" role="toolbar" aria-label={t("message.actions")}>
        {mayReact(room, message) && (
          <QuickReactions message={message} max={inThread ? 0 : MAX_QUICK_REACTIONS} />
        )}
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
    </div>
  );
}

/** Opens the actions of a message at the pointer; on its author's name or picture, the author's. */
export function openMessageMenu(
  event: MouseEvent,
  room: MyRoom,
  message: Message,
  inThread?: string,
): void {
  const isOnAuthor = event.target instanceof Element && event.target.closest(".who");
  if (isOnAuthor && !message.via) {
    openPersonMenu(event, message.author);
    return;
  }
  const items = messageActions(room, message, inThread).map(({ run, ...item }) => ({
    ...item,
    onSelect: run,
  }));
  openContextMenu(event, t("message.actions"), items);
}

type QuickProps = { message: Message; max: number; onDone?(): void };

/** Buttons for common emoji, and for the picker. */
export function QuickReactions({ message, max, onDone }: QuickProps) {
  return (
    <>
      {QUICK_REACTIONS.slice(0, max).map((emoji) => (
        <button
          key={emoji}
          type="button"
          class="icon-button quick"
          data-tooltip={t("react.with", { emoji })}
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
