import { Ellipsis } from "lucide";
import { useComputed } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { IconButton } from "../parts/button.tsx";
import { openContextMenu } from "../parts/open-context-menu.ts";
import { Menu } from "../parts/menu.tsx";
import { openPersonMenu } from "../people/open-person-menu.ts";
import { t } from "../words/translate.ts";
import { actionKeys, hovered, rowKey } from "./active-message.ts";
import { mayReact, messageActions } from "./message-actions.ts";
import { openReactionMenu, reactionAt } from "./reaction-menu.ts";
import { AddReaction, toggleOn } from "./reactions.tsx";

/** The order never changes, so that people learn it. */
const QUICK_REACTIONS = ["👍", "❤️", "😂", "🎉", "👀", "🙏"];
const MAX_QUICK_REACTIONS = 3;

/** `inThread` is the id of the thread in which the message is shown. */
type ToolsProps = { room: MyRoom; message: Message; inThread?: string };

/**
 * The toolbar of a message that is hovered or has the focus; less common actions are in its menu.
 */
export function MessageTools({ room, message, inThread }: ToolsProps) {
  // A thread is narrow: its toolbar has only the most common actions.
  const actions = messageActions(room, message, inThread).map((action) =>
    inThread && action.shortcut !== "Q" ? { ...action, isButton: false } : action,
  );
  const key = rowKey(message.id, inThread);
  const more = actions.filter(({ isButton }) => !isButton);
  // Before it is painted, so that no key is missed.
  useLayoutEffect(() => {
    const runs = more.map(({ shortcut = "", run }) => [shortcut, run] as const);
    actionKeys.set(key, Object.fromEntries(runs));
    return () => void actionKeys.delete(key);
  });
  // Only one toolbar is visible. The focused message keeps its own for its shortcuts.
  const isBehind = useComputed(() => hovered.value !== null && hovered.value !== key).value;
  return (
    <div class="tools-place absolute">
      <div
        class={`tools sticky flex surface outlined ${isBehind ? "behind" : ""}`}
        role="toolbar"
        aria-label={t("message.actions")}
      >
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

/** Opens the actions of a message at the pointer, or those of the author or reaction under it. */
export function openMessageMenu(
  event: MouseEvent,
  room: MyRoom,
  message: Message,
  inThread?: string,
): void {
  const reaction = reactionAt(event, message);
  if (reaction) {
    openReactionMenu(event, room, message, reaction);
    return;
  }
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

/** Buttons for common emoji, and to open the picker. */
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
          onClick={({ currentTarget, detail }) => {
            toggleOn(message, emoji);
            // After a keyboard action, the next key should go to the message.
            if (detail === 0) currentTarget.closest<HTMLElement>("[data-message-id]")?.focus();
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
