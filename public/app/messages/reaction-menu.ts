import { Copy, SmilePlus, Trash2, UserRound } from "lucide";
import type { Message, MyRoom, Reaction } from "../../../src/wire/models.ts";
import { openContextMenu } from "../parts/open-context-menu.ts";
import type { MenuItem } from "../parts/menu.tsx";
import { pointOf } from "../parts/use-popover.ts";
import { copyText } from "../session/copy-text.ts";
import { overlay } from "../session/overlay.ts";
import { findUser, nameOf } from "../session/person.tsx";
import { store } from "../session/store.ts";
import { t } from "../words/translate.ts";
import { mayReact } from "./message-actions.ts";
import { toggleOn } from "./reactions.tsx";

/** Keeps the menu from becoming longer than a screen. */
const MAX_PEOPLE = 12;

/** The reaction under the pointer when the menu was requested, if any. */
export function reactionAt({ target }: Event, message: Message): Reaction | undefined {
  const button = target instanceof Element ? target.closest<HTMLElement>(".reaction") : null;
  const emoji = button?.dataset.emoji;
  return message.reactions.find((reaction) => reaction.emoji === emoji);
}

/** Opens the menu of a reaction: to add or remove my own, with the emoji and who reacted. */
export function openReactionMenu(
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
    const onSelect = () => {
      overlay.value = { name: "person", user, anchor };
    };
    return [{ id: user.id, label: nameOf(user), icon: UserRound, onSelect }];
  });
  const items = [...(mayReact(room, message) ? [own] : []), copy, ...people];
  openContextMenu(event, t("react.menu", { emoji }), items);
}
