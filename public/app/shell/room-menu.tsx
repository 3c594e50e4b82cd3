import { ArrowDown, ArrowUp, Bell, BellOff, CheckCheck, FolderInput, Star, StarOff } from "lucide";
import { markRead } from "../session/mark-read.ts";
import { pinRoom } from "../session/arrange.ts";
import { muteConversation } from "../session/membership.ts";
import { overlay } from "../session/overlay.ts";
import { type MenuItem, MenuList } from "../parts/menu.tsx";
import type { Anchor } from "../parts/use-popover.ts";
import type { SidebarItem } from "../state/sidebar/sidebar-sections.ts";
import { moveByOne } from "./row-moves.tsx";
import { t } from "../words/translate.ts";

type RoomMenuProps = {
  item: SidebarItem;
  anchor: Anchor;
  isMovable: boolean;
  onClose(): void;
};

/** What can be done with a room of the sidebar. */
export function RoomMenu({ item, anchor, isMovable, onClose }: RoomMenuProps) {
  return (
    <MenuList
      label={t("sidebar.actions", { room: item.label })}
      items={itemsFor(item, isMovable)}
      anchor={anchor}
      onClose={onClose}
    />
  );
}

function itemsFor(item: SidebarItem, isMovable: boolean): MenuItem[] {
  const { room, isMuted, pinnedAt } = item;
  const isArchived = item.section === "archived";
  const items: MenuItem[] = [];
  if (room.membership?.unread)
    items.push({
      label: t("room-menu.mark-read"),
      icon: CheckCheck,
      onSelect: () => markRead(room),
    });
  if (!isArchived)
    items.push({
      label: t(pinnedAt ? "room-menu.unpin" : "room-menu.pin"),
      icon: pinnedAt ? StarOff : Star,
      onSelect: () => void pinRoom(room, !pinnedAt),
    });
  if (!isArchived)
    items.push({
      label: t("sections.move-to"),
      icon: FolderInput,
      onSelect: () => {
        overlay.value = { name: "move-to-section", roomId: room.id };
      },
    });
  items.push({
    label: t(isMuted ? "room-menu.unmute" : "room-menu.mute"),
    icon: isMuted ? Bell : BellOff,
    onSelect: () => muteConversation(room, !isMuted),
  });
  if (isMovable)
    items.push(
      { label: t("room-menu.up"), icon: ArrowUp, onSelect: () => moveByOne(item.id, -1) },
      { label: t("room-menu.down"), icon: ArrowDown, onSelect: () => moveByOne(item.id, 1) },
    );
  return items;
}
