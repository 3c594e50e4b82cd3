import { Ellipsis } from "lucide";
import { useRef, useState } from "preact/hooks";
import { PlaceLink } from "../session/place-link.tsx";
import { IconButton } from "../parts/button.tsx";
import { quietRest } from "../parts/load-rest.tsx";
import { RoomIcon } from "../parts/room-icon.tsx";
import { longPress } from "../parts/long-press.ts";
import { type Anchor, pointOf } from "../parts/use-popover.ts";
import type { SidebarItem } from "../state/sidebar/sidebar-sections.ts";
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
  const [menuAnchor, setMenuAnchor] = useState<Anchor | null>(null);
  const row = useRef<HTMLLIElement>(null);
  return (
    <li
      ref={row}
      class="room-row"
      data-id={item.id}
      draggable={isMovable}
      onKeyDown={(event) => {
        if (event.key !== "ContextMenu" && !(event.shiftKey && event.key === "F10")) return;
        event.preventDefault();
        setMenuAnchor(row.current);
      }}
      {...longPress(
        () => setMenuAnchor(row.current),
        (event) => {
          if (event.shiftKey) return;
          event.preventDefault();
          setMenuAnchor(pointOf(event));
        },
      )}
    >
      <PlaceLink
        id={item.id}
        href={item.href}
        title={`#${item.label}`}
        isOpen={isOpen}
        isTabStop={isTabStop}
        news={item}
        muted={t("sidebar.muted")}
        class={item.isMuted ? "muted-room" : ""}
        draggable={false}
      >
        <RoomIcon room={item.room} />
        <span class="grow truncate">{item.label}</span>
      </PlaceLink>
      <IconButton
        icon={Ellipsis}
        label={t("sidebar.actions", { room: item.label })}
        class="row-action"
        tabIndex={isTabStop ? 0 : -1}
        expanded={menuAnchor !== null}
        onClick={() => setMenuAnchor(menuAnchor ? null : row.current)}
      />
      {menuAnchor && (
        <RoomMenu
          item={item}
          anchor={menuAnchor}
          isMovable={isMovable}
          onClose={() => {
            setMenuAnchor(null);
            row.current?.querySelector("a")?.focus();
          }}
        />
      )}
    </li>
  );
}
