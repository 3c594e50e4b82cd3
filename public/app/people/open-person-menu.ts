import { AtSign, MessageCircle, UserRound } from "lucide";
import type { User } from "../../../src/wire/models.ts";
import { openContextMenu } from "../parts/menu-list.tsx";
import type { MenuItem } from "../parts/menu.tsx";
import { pointOf } from "../parts/long-press.ts";
import type { Anchor } from "../parts/use-popover.ts";
import { nameOf } from "../session/person.tsx";
import { copyText } from "../session/copy-text.ts";
import { openDirectWith } from "../session/direct.ts";
import { openDialog } from "../session/overlay.ts";
import { store } from "../session/store.ts";
import { showError } from "../session/toasts.ts";
import { t } from "../words/translate.ts";
import { findByUsername } from "./person-card.tsx";

/**
 * Opens the actions on a person in a menu at the pointer.
 * @param more further actions, of the list in which the person is shown
 */
export function openPersonMenu(event: MouseEvent, user: User, more: MenuItem[] = []): void {
  const items = [...personItems(user, pointOf(event)), ...more];
  openContextMenu(event, t("actions-for", { name: nameOf(user) }), items);
}

/** Opens the actions on a mentioned person, who may not be loaded yet. */
export function openMentionMenu(event: MouseEvent, username: string): void {
  const anchor = pointOf(event);
  const items = findByUsername(username).then(
    (user) => (user ? personItems(user, anchor) : []),
    (error: unknown) => {
      showError(error);
      return [];
    },
  );
  openContextMenu(event, t("actions-for", { name: `@${username}` }), items);
}

function personItems(user: User, anchor: Anchor): MenuItem[] {
  const isMe = user.id === store.me.value?.id;
  const items: MenuItem[] = [
    {
      label: t("person.open"),
      icon: UserRound,
      onSelect: () => openDialog({ name: "person", user, anchor }),
    },
  ];
  if (user.is_active && !isMe) {
    items.push({
      label: t("direct.message"),
      icon: MessageCircle,
      onSelect: () => openDirectWith([user]),
    });
  }
  items.push({
    label: t("person.copy-mention"),
    icon: AtSign,
    onSelect: () => copyText(`@${user.username}`),
  });
  return items;
}
