import { CheckCheck, EyeOff, FolderInput, Hash, LogOut, Pin, PinOff, UserPlus } from "lucide";
import { markRead } from "../session/mark-read.ts";
import { hideDirect, pinDirect } from "../session/membership-actions.ts";
import { muteItem } from "../session/muting.ts";
import { openDialog } from "../session/overlay.ts";
import type { MenuItem } from "../parts/menu.tsx";
import { MenuList } from "../parts/menu-list.tsx";
import type { Anchor } from "../parts/use-popover.ts";
import type { DirectRoom } from "../state/model/conversation.ts";
import { t } from "../words/translate.ts";

type DirectMenuProps = {
  room: DirectRoom;
  anchor: Anchor | null;
  /** Opens a dialog of the conversation's own screen. */
  show?(dialog: "add" | "room" | "leave"): void;
  onClose(): void;
};

/** The open menu of a conversation, in the sidebar or on its own screen. */
export function DirectMenu({ room, anchor, show, onClose }: DirectMenuProps) {
  return (
    <MenuList
      label={t("direct.actions")}
      items={[...itemsFor(room), ...(show ? screenItemsFor(room, show) : [])]}
      anchor={anchor}
      onClose={onClose}
    />
  );
}

function itemsFor(room: DirectRoom): MenuItem[] {
  const { direct, membership } = room;
  const isPinned = membership?.pinned_at != null;
  const items: MenuItem[] = [];
  if (membership?.unread) {
    items.push({
      label: t("room-menu.mark-read"),
      icon: CheckCheck,
      onSelect: () => markRead(room),
    });
  }
  items.push({
    label: isPinned ? t("direct.unpin") : t("direct.pin"),
    icon: isPinned ? PinOff : Pin,
    onSelect: () => pinDirect(room, !isPinned),
  });
  items.push({
    label: t("sections.move-to"),
    icon: FolderInput,
    onSelect: () => openDialog({ name: "move-to-section", roomId: room.id }),
  });
  if (direct.kind !== "self") {
    items.push(muteItem(room));
  }
  items.push({ label: t("direct.hide"), icon: EyeOff, onSelect: () => hideDirect(room) });
  return items;
}

/** Items that only the conversation's own screen offers. */
function screenItemsFor(
  { direct, is_archived }: DirectRoom,
  show: NonNullable<DirectMenuProps["show"]>,
): MenuItem[] {
  const items: MenuItem[] = [];
  if (direct.kind !== "self" && !is_archived) {
    items.push({ label: t("direct.add"), icon: UserPlus, onSelect: () => show("add") });
  }
  if (direct.kind === "group") {
    // In a closed conversation everyone else has left.
    if (!is_archived) {
      items.push({ label: t("direct.make-room"), icon: Hash, onSelect: () => show("room") });
    }
    items.push({
      label: t("direct.leave"),
      icon: LogOut,
      danger: true,
      onSelect: () => show("leave"),
    });
  }
  return items;
}
