import { ArrowDown, ArrowUp, CheckCheck, FolderInput, Star, StarOff } from "lucide";
import { markRead } from "../session/mark-read.ts";
import { pinRoom } from "../session/arrange.ts";
import { muteItem } from "../session/muting.ts";
import { openDialog } from "../session/overlay.ts";
import type { MenuItem } from "../parts/menu.tsx";
import { MenuList } from "../parts/menu-list.tsx";
import type { Anchor } from "../parts/use-popover.ts";
import type { SidebarItem } from "../state/sidebar/sidebar-sections.ts";
import { moveByOne } from "./row-moves.tsx";
import { t } from "../words/translate.ts";

type RoomMenuProps = {
  item: SidebarItem;
  anchor: Anchor;
  onClose(): void;
};

export function RoomMenu({ item, anchor, onClose }: RoomMenuProps) {
  return (
    <MenuList
      label={t("sidebar.actions", { room: item.label })}
      items={itemsFor(item)}
      anchor={anchor}
      onClose={onClose}
    />
  );
}

function itemsFor(item: SidebarItem): MenuItem[] {
  const { room, pinnedAt } = item;
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
      onSelect: () => openDialog({ name: "move-to-section", roomId: room.id }),
    });
  items.push(muteItem(room));
  if (!isArchived)
    items.push(
      { label: t("room-menu.up"), icon: ArrowUp, onSelect: () => moveByOne(item.id, -1) },
      { label: t("room-menu.down"), icon: ArrowDown, onSelect: () => moveByOne(item.id, 1) },
    );
  return items;
}
