import { CheckCheck, EyeOff, FolderInput, Hash, LogOut, Pin, PinOff, UserPlus } from "lucide";
import { markRead } from "../session/mark-read.ts";
import { hideDirect, pinDirect } from "../session/membership-actions.ts";
import { muteItem } from "../session/muting.ts";
import { askToConfirm, openDialog } from "../session/overlay.ts";
import type { MenuItem } from "../parts/menu.tsx";
import { MenuList } from "../parts/menu-list.tsx";
import type { Anchor } from "../parts/use-popover.ts";
import type { DirectRoom } from "../state/model/conversation.ts";
import { navigateTo } from "../session/navigation.ts";
import { store } from "../session/store.ts";
import { t } from "../words/translate.ts";

type DirectMenuProps = {
  room: DirectRoom;
  anchor: Anchor | null;
  /** Whether it is on the conversation's own screen, which offers more. */
  isOnScreen?: boolean;
  onClose(): void;
};

/** The open menu of a conversation, in the sidebar or on its own screen. */
export function DirectMenu({ room, isOnScreen, anchor, onClose }: DirectMenuProps) {
  return (
    <MenuList
      label={t("direct.actions")}
      items={[...itemsFor(room), ...(isOnScreen ? screenItemsFor(room) : [])]}
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
function screenItemsFor(room: DirectRoom): MenuItem[] {
  const { direct, is_archived } = room;
  const items: MenuItem[] = [];
  if (direct.kind !== "self" && !is_archived) {
    items.push({
      label: t("direct.add"),
      icon: UserPlus,
      onSelect: () => openDialog({ name: "add-people", room }),
    });
  }
  if (direct.kind === "group") {
    // In a closed conversation everyone else has left.
    if (!is_archived) {
      items.push({
        label: t("direct.make-room"),
        icon: Hash,
        onSelect: () => openDialog({ name: "make-room", room }),
      });
    }
    items.push({
      label: t("direct.leave"),
      icon: LogOut,
      danger: true,
      onSelect: () => askToLeave(room),
    });
  }
  return items;
}

function askToLeave({ id }: DirectRoom): void {
  askToConfirm({
    title: t("direct.leave-title"),
    text: t("direct.leave-text"),
    action: t("direct.leave"),
    onConfirm: async () => {
      await store.call("POST /api/direct/:id/leave", { params: { id } });
      navigateTo("/direct");
    },
  });
}
