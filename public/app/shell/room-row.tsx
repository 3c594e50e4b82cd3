import { BellOff, Ellipsis, Pencil } from "lucide";
import { useRef, useState } from "preact/hooks";
import { UnreadBadge } from "../parts/unread-badge.tsx";
import { draftRooms } from "../session/sidebar.ts";
import { IconButton } from "../parts/button.tsx";
import { quietRest } from "../parts/rest.tsx";
import { RoomIcon } from "../parts/room-icon.tsx";
import { longPress } from "../parts/long-press.ts";
import { Sign } from "../parts/sign.tsx";
import type { SidebarItem } from "../state/sidebar.ts";
import { t } from "../words/translate.ts";

const RoomMenu = quietRest("RoomMenu");

type RoomRowProps = {
  item: SidebarItem;
  isOpen: boolean;
  /** Whether Tab goes to it. */
  isTabStop: boolean;
  isMovable: boolean;
};

/** A room of the sidebar, with a menu: by the button, a long press, or the keyboard's menu key. */
export function RoomRow({ item, isOpen, isTabStop, isMovable }: RoomRowProps) {
  const [hasMenu, setHasMenu] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  const tabIndex = isTabStop ? 0 : -1;
  const { isUnread, isMuted } = item;
  return (
    <li
      ref={row}
      class="room-row"
      data-id={item.id}
      draggable={isMovable}
      onKeyDown={(event) => {
        if (event.key !== "ContextMenu" && !(event.shiftKey && event.key === "F10")) return;
        event.preventDefault();
        setHasMenu(true);
      }}
      {...longPress(() => setHasMenu(true))}
    >
      <a
        class={`room-link${isUnread ? " unread" : ""}${isMuted ? " muted-room" : ""}`}
        href={item.href}
        title={`#${item.label}`}
        tabIndex={tabIndex}
        draggable={false}
        aria-current={isOpen ? "page" : undefined}
      >
        <RoomIcon room={item.room} />
        <span class="grow truncate">{item.label}</span>
        {!isOpen && draftRooms.value.has(item.id) && (
          <Sign icon={Pencil} text={t("sidebar.draft")} />
        )}
        {isMuted && <Sign icon={BellOff} text={t("sidebar.muted")} />}
        <UnreadBadge {...item} />
      </a>
      <IconButton
        icon={Ellipsis}
        label={t("sidebar.actions", { room: item.label })}
        class="row-action"
        tabIndex={tabIndex}
        expanded={hasMenu}
        onClick={() => setHasMenu(!hasMenu)}
      />
      {hasMenu && (
        <RoomMenu
          item={item}
          anchor={row.current}
          isMovable={isMovable}
          onClose={() => {
            setHasMenu(false);
            row.current?.querySelector("a")?.focus();
          }}
        />
      )}
    </li>
  );
}
