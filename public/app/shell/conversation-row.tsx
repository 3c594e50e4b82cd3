import type { ComponentChildren } from "preact";
import { loadRest, quietRest } from "../parts/load-rest.tsx";
import { RoomIcon } from "../parts/room-icon.tsx";
import { formatBadge } from "../parts/unread-badge.tsx";
import { Faces } from "../session/faces.tsx";
import { showError } from "../session/toasts.ts";
import { mayHide } from "../state/conversations/directs.ts";
import type { DirectRoom } from "../state/model/conversation.ts";
import type { SidebarItem } from "../state/sidebar/sidebar-sections.ts";
import { t } from "../words/translate.ts";
import { SidebarRow } from "./sidebar-row.tsx";

const DirectMenu = quietRest("DirectMenu");
const RoomMenu = quietRest("RoomMenu");

type RowProps = {
  item: SidebarItem;
  isOpen: boolean;
  /** Whether Tab reaches this row; arrows go from row to row. */
  isTabStop: boolean;
  /** Rows shown below this one, such as threads. */
  children?: ComponentChildren;
};

export function ConversationRow({ item, ...state }: RowProps) {
  const { id, label, href, room, section } = item;
  const row = { id, href, name: label, ...state };
  if (section !== "direct") {
    return (
      <SidebarRow
        {...row}
        icon={<RoomIcon room={room} />}
        title={`#${label}`}
        news={item}
        isMovable={section !== "archived"}
        menuLabel={t("sidebar.actions", { room: label })}
        menu={(anchor, onClose) => <RoomMenu item={item} anchor={anchor} onClose={onClose} />}
      />
    );
  }
  const direct = room as DirectRoom;
  const hide = () => loadRest().then(({ hideDirect }) => hideDirect(direct), showError);
  return (
    <SidebarRow
      {...row}
      icon={<Faces direct={direct.direct} size={22} />}
      title={label}
      news={{ ...item, label: formatBadge(item.mentions) }}
      isMovable
      menu={(anchor, onClose) => <DirectMenu room={direct} anchor={anchor} onClose={onClose} />}
      hide={mayHide(direct) ? { label: t("direct.hide-one", { name: label }), run: hide } : null}
    />
  );
}
