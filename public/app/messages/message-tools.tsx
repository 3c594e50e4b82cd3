import { useComputed } from "@preact/signals";
import { Copy, Ellipsis, SmilePlus, Trash2, UserRound } from "lucide";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { Message, MyRoom, Reaction } from "../../../src/wire/models.ts";
import { IconButton } from "../parts/button.tsx";
import { addRecentEmoji } from "../parts/emoji/recent.ts";
import { Menu, type MenuItem } from "../parts/menu.tsx";
import { belongsToBrowser, openContextMenu } from "../parts/menu-list.tsx";
import { usesSheets } from "../parts/popup.tsx";
import { pointOf, whenReleased } from "../parts/long-press.ts";
import { openMentionMenu, openPersonMenu } from "../people/open-person-menu.ts";
import { copyText } from "../session/copy-text.ts";
import { openDialog } from "../session/overlay.ts";
import { findUser, nameOf } from "../session/person.tsx";
import { store } from "../session/store.ts";
import { t } from "../words/translate.ts";
import { actionKeys, hovered, rowKey } from "./active-message.ts";
import { openSheet } from "./message.tsx";
import { mayReact, messageActions } from "./message-actions.ts";
import { AddReaction, toggleOn } from "./reactions.tsx";

/** The order never changes, so that people learn it. */
const QUICK_REACTIONS = ["👍", "❤️", "😂", "🎉", "👀", "🙏"];
const MAX_QUICK_REACTIONS = 3;
/** In pixels. In a narrower list, the whole toolbar would cover most of a line. */
const WIDE_LIST = 700;

/** `inThread` is the id of the thread in which the message is shown. */
type ToolsProps = { room: MyRoom; message: Message; inThread?: string };

/**
 * The toolbar of a message that is hovered or has the focus; less common actions are in its menu.
 */
export function MessageTools({ room, message, inThread }: ToolsProps) {
  // A narrow list or thread has only the most common actions in its toolbars.
  const isNarrow = useNarrowList() || inThread !== undefined;
  const actions = messageActions(room, message, inThread).map((action) =>
    isNarrow && action.shortcut !== "Q" ? { ...action, isButton: false } : action,
  );
  const key = rowKey(message.id, inThread);
  const more = actions.filter(({ isButton }) => !isButton);
  // Before it is painted, so that no key is missed.
  useLayoutEffect(() => {
    const runs = more.map(({ shortcut = "", onSelect }) => [shortcut, onSelect] as const);
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
          <QuickReactions message={message} max={isNarrow ? 0 : MAX_QUICK_REACTIONS} />
        )}
        {actions
          .filter(({ isButton }) => isButton)
          .map(({ icon, label, shortcut, onSelect }) => (
            <IconButton
              key={label}
              icon={icon}
              label={label}
              shortcut={shortcut}
              onClick={onSelect}
            />
          ))}
        <Menu icon={Ellipsis} label={t("message.more")} items={more} />
      </div>
    </div>
  );
}

/** Whether the list of the room's messages is narrow, kept up to date. */
function useNarrowList(): boolean {
  const [list] = useState(() => document.querySelector(".timeline"));
  const measure = () => (list?.clientWidth ?? 0) < WIDE_LIST;
  const [isNarrow, setNarrow] = useState(measure);
  useEffect(() => {
    const observer = new ResizeObserver(() => setNarrow(measure()));
    if (list) observer.observe(list);
    return () => observer.disconnect();
  }, []);
  return isNarrow;
}

/**
 * Opens the actions of a message at the pointer, or those of the person or reaction under it. A
 * phone has the same sheet as for a long press.
 */
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
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest(".who") && !message.via) {
    openPersonMenu(event, message.author);
    return;
  }
  const mention = target?.closest(".mention")?.textContent?.slice(1).toLowerCase();
  if (message.mentions.some(({ username }) => username.toLowerCase() === mention)) {
    openMentionMenu(event, mention as string);
    return;
  }
  const row = event.currentTarget;
  if (usesSheets() && row instanceof HTMLElement) {
    if (belongsToBrowser(event)) return;
    event.preventDefault();
    whenReleased(event, () => openSheet(row, message, inThread));
    return;
  }
  openContextMenu(event, t("message.actions"), messageActions(room, message, inThread));
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
            addRecentEmoji(emoji);
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

/** Keeps the menu from becoming longer than a screen. */
const MAX_PEOPLE = 12;

/** The reaction under the pointer when the menu was requested, if any. */
function reactionAt({ target }: Event, message: Message): Reaction | undefined {
  const button = target instanceof Element ? target.closest<HTMLElement>(".reaction") : null;
  const emoji = button?.dataset.emoji;
  return message.reactions.find((reaction) => reaction.emoji === emoji);
}

/** Opens the menu of a reaction: to add or remove my own, with the emoji and who reacted. */
function openReactionMenu(
  event: MouseEvent,
  room: MyRoom,
  message: Message,
  { emoji, user_ids }: Reaction,
): void {
  const anchor = pointOf(event);
  const me = store.me.value?.id ?? "";
  const isMine = user_ids.includes(me);
  const own: MenuItem = {
    label: isMine ? t("react.remove") : t("react.with", { emoji }),
    icon: isMine ? Trash2 : SmilePlus,
    onSelect: () => toggleOn(message, emoji),
  };
  const copy = { label: t("react.copy", { emoji }), icon: Copy, onSelect: () => copyText(emoji) };
  const people = user_ids.slice(0, MAX_PEOPLE).flatMap((id): MenuItem[] => {
    const user = findUser(id);
    if (!user) return [];
    const onSelect = () => openDialog({ name: "person", user, anchor });
    return [{ id: user.id, label: nameOf(user), icon: UserRound, onSelect }];
  });
  const items = [...(mayReact(room, message) ? [own] : []), copy, ...people];
  openContextMenu(event, t("react.menu", { emoji }), items);
}

/** Opens the emoji for the newest message, in the thread if the focus is in one. */
export function reactToNewest(): void {
  const pane = document.activeElement?.closest(".pane") ?? document.querySelector(".main .pane");
  const row = [...(pane?.querySelectorAll<HTMLElement>("[data-message-id]") ?? [])].at(-1);
  row?.focus();
  // The toolbar is rendered once its row has the focus.
  setTimeout(() => row?.querySelector<HTMLElement>('[aria-keyshortcuts="R"]')?.click());
}
