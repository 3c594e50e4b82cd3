import { AtSign, MessageCircle, UserRound } from "lucide";
import type { User } from "../../../src/wire/models.ts";
import { openContextMenu } from "../parts/context-menu.tsx";
import type { MenuItem } from "../parts/menu.tsx";
import { nameOf } from "../session/person.tsx";
import { copyText } from "../session/copy-text.ts";
import { openDirectWith } from "../session/direct.ts";
import { overlay } from "../session/overlay.ts";
import { store } from "../session/store.ts";
import { t } from "../words/translate.ts";

/**
 * Opens what can be done with a person at the pointer.
 * @param more further actions, of the place where the person is listed
 */
export function openPersonMenu(event: MouseEvent, user: User, more: MenuItem[] = []): void {
  const isMe = user.id === store.me.value?.id;
  const items: MenuItem[] = [
    {
      label: t("person.open"),
      icon: UserRound,
      onSelect: () => {
        overlay.value = { name: "person", user };
      },
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
  openContextMenu(event, t("members.actions", { name: nameOf(user) }), [...items, ...more]);
}
