import {
  ArrowDown,
  ArrowUp,
  CheckCheck,
  EyeOff,
  FolderInput,
  Hash,
  LogOut,
  Pin,
  PinOff,
  Star,
  StarOff,
  UserPlus,
} from "lucide";
import { markRead } from "../session/mark-read.ts";
import { askToLeaveDirect, hideDirect, pinConversation } from "../session/membership-actions.ts";
import { muteItems } from "../session/muting.ts";
import { openConversation } from "../session/open-conversation.ts";
import { openDialog } from "../session/overlay.ts";
import { store } from "../session/store.ts";
import type { MenuItem } from "../parts/menu.tsx";
import { isTouch, MenuList, openContextMenu } from "../parts/menu-list.tsx";
import type { Anchor } from "../parts/use-popover.ts";
import { mayHide } from "../state/conversations/directs.ts";
import type { Conversation, DirectRoom } from "../state/model/conversation.ts";
import { watchMentions } from "../people/person-card.tsx";
import { followedItems } from "../threads/thread-menu.tsx";
import { moveByOne } from "./row-moves.tsx";
import { t } from "../words/translate.ts";

type ConversationMenuProps = {
  room: Conversation;
  anchor: Anchor | null;
  /** Whether it is on the conversation's own screen, which offers more. */
  isOnScreen?: boolean;
  onClose(): void;
};

/** The open menu of a room or direct conversation. */
export function ConversationMenu({ room, isOnScreen, anchor, onClose }: ConversationMenuProps) {
  return (
    <MenuList
      label={labelFor(room)}
      items={[
        ...itemsFor(room),
        ...(room.kind === "direct" && isOnScreen ? screenItemsFor(room) : []),
      ]}
      anchor={anchor}
      onClose={onClose}
    />
  );
}

const labelFor = (room: Conversation) =>
  room.kind === "direct" ? t("direct.actions") : t("sidebar.actions", { room: room.name });

/** Opens the menu of a room or conversation at the pointer. A touch is left to the browser. */
export function openConversationMenu(event: MouseEvent, room: Conversation, row?: Element): void {
  if (isTouch(event)) return;
  openContextMenu(event, labelFor(room), itemsFor(room), row);
}

const NAME_IN_HEAD = ".titles:has(.door), .room-panel .titles";

/**
 * Handles clicks on names that the first load shows without a handler: those of mentioned people,
 * and right clicks on the open room or conversation in the heads and on threads in the sidebar.
 */
export function watchNames(): void {
  watchMentions();
  document.addEventListener("contextmenu", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const name = target?.closest(NAME_IN_HEAD);
    if (name && openConversation.value) openConversationMenu(event, openConversation.value, name);
    const row = target?.closest<HTMLElement>(".thread-rows li");
    if (row && !isTouch(event)) openThreadMenu(event, row);
  });
}

/** The menu of a thread, or that of its room for the row that stands for several. */
function openThreadMenu(event: MouseEvent, row: HTMLElement): void {
  const { conversations, threads } = store.state.value;
  const { id = "" } = row.dataset;
  const roomId = row.parentElement?.closest<HTMLElement>("[data-id]")?.dataset.id ?? "";
  const room = conversations?.[roomId];
  const follow = threads?.[id];
  if (room && follow)
    openContextMenu(event, t("thread.actions"), followedItems(room, id, follow), row);
  else if (room) openConversationMenu(event, room, row);
}

function itemsFor(room: Conversation): MenuItem[] {
  const { id, membership } = room;
  const direct = room.kind === "direct" ? room : null;
  const isMovable = direct !== null || !room.is_archived;
  const items: MenuItem[] = [];
  if (membership?.unread) {
    items.push({
      label: t("room-menu.mark-read"),
      icon: CheckCheck,
      onSelect: () => markRead(room),
    });
  }
  if (isMovable) {
    items.push(pinItem(room), {
      label: t("sections.move-to"),
      icon: FolderInput,
      onSelect: () => openDialog({ name: "move-to-section", roomId: id }),
    });
  }
  if (direct?.direct.kind !== "self") items.push(...muteItems(room));
  if (direct && mayHide(direct)) {
    items.push({ label: t("direct.hide"), icon: EyeOff, onSelect: () => hideDirect(direct) });
  }
  if (!direct && isMovable) {
    items.push(
      { label: t("room-menu.up"), icon: ArrowUp, onSelect: () => moveByOne(id, -1) },
      { label: t("room-menu.down"), icon: ArrowDown, onSelect: () => moveByOne(id, 1) },
    );
  }
  return items;
}

/** A direct conversation is pinned to the top of its section, a room is one of the favourites. */
function pinItem(room: Conversation): MenuItem {
  const isPinned = room.membership?.pinned_at != null;
  const onSelect = () => pinConversation(room, !isPinned);
  if (room.kind === "direct") {
    return isPinned
      ? { label: t("direct.unpin"), icon: PinOff, onSelect }
      : { label: t("direct.pin"), icon: Pin, onSelect };
  }
  return isPinned
    ? { label: t("room-menu.unpin"), icon: StarOff, onSelect }
    : { label: t("room-menu.pin"), icon: Star, onSelect };
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
      onSelect: () => askToLeaveDirect(room),
    });
  }
  return items;
}
