import { Ellipsis, X } from "lucide";
import type { ComponentChildren, RefObject } from "preact";
import { useRef, useState } from "preact/hooks";
import { IconButton } from "../parts/button.tsx";
import { menuHandlers } from "../parts/long-press.ts";
import { UnreadBadge, formatBadge } from "../parts/unread-badge.tsx";
import type { Anchor } from "../parts/use-popover.ts";
import { useRowSwipe } from "../parts/use-swipes.ts";
import { describeMute, DraftSign, MutedSign } from "../session/row-signs.tsx";
import type { News } from "../state/model/unread.ts";
import { loadRest, quietRest } from "../parts/load-rest.tsx";
import { RoomIcon } from "../parts/room-icon.tsx";
import { Faces } from "../session/faces.tsx";
import { showError } from "../session/toasts.ts";
import { mayHide } from "../state/conversations/directs.ts";
import type { SidebarItem } from "../state/sidebar/sidebar-sections.ts";
import { t } from "../words/translate.ts";

const ConversationMenu = quietRest("ConversationMenu");

/** Selects the links between which the arrows move. */
export const ROW = "[data-id] > .sidebar-row > a";

type SidebarRowProps = {
  /** Set for a row that the arrows reach. */
  id?: string;
  href: string;
  icon?: ComponentChildren;
  name: string;
  title?: string;
  isOpen?: boolean;
  isTabStop?: boolean;
  isMovable?: boolean;
  /** What is new, and the accessible name of its badge. */
  news?: Partial<News> & { label?: string };
  /** A number that nobody has to act on. */
  count?: number;
  /** Renders the open menu; `label` names its button. */
  menu?(anchor: Anchor, onClose: () => void): ComponentChildren;
  menuLabel?: string;
  /** What the cross, the Delete key and a swipe do, where the row has them. */
  hide?: { label: string; run(): void } | null;
  /** Rows shown below this one, such as threads. */
  children?: ComponentChildren;
};

/**
 * A row of the sidebar: a link with its badge and signs. Its menu opens with its button, a right
 * click, a long press or the menu key.
 */
export function SidebarRow(props: SidebarRowProps) {
  const { id, isTabStop = true, isMovable, menu, menuLabel, hide, children } = props;
  const [menuAnchor, setMenuAnchor] = useState<Anchor | null>(null);
  const row = useRef<HTMLDivElement>(null);
  const tabIndex = isTabStop ? 0 : -1;
  const handlers = menu && menuHandlers(setMenuAnchor);
  return (
    <li data-id={id} draggable={isMovable}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the link inside takes the keys */}
      <div
        ref={row}
        class="sidebar-row"
        {...handlers}
        onKeyDown={(event) => {
          handlers?.onKeyDown(event);
          if (event.key !== "Delete" || !hide) return;
          event.preventDefault();
          hide.run();
        }}
      >
        <RowLink {...props} tabIndex={tabIndex} />
        {hide && <RowSwipe row={row} onSwipe={hide.run} />}
        {hide ? (
          <IconButton
            icon={X}
            label={hide.label}
            class="row-action absolute"
            tabIndex={-1}
            onClick={hide.run}
          />
        ) : (
          menuLabel && (
            <IconButton
              icon={Ellipsis}
              label={menuLabel}
              class="row-action absolute"
              tabIndex={tabIndex}
              expanded={menuAnchor !== null}
              onClick={() => setMenuAnchor(menuAnchor ? null : row.current)}
            />
          )
        )}
      </div>
      {menuAnchor &&
        menu?.(menuAnchor, () => {
          setMenuAnchor(null);
          row.current?.querySelector("a")?.focus();
        })}
      {children}
    </li>
  );
}

function RowLink({ id, href, icon, name, title, isOpen, tabIndex, ...props }: LinkProps) {
  const { isUnread = false, isMuted, mutedUntil = null, mentions = 0, label } = props.news ?? {};
  return (
    <a
      class={`room-link control muted rounded ${isUnread ? "unread" : ""} ${isMuted ? "muted-row" : ""}`}
      href={href}
      // While the row is hovered or focused, a button replaces the sign.
      title={isMuted ? `${title ?? name} · ${describeMute(mutedUntil)}` : title}
      tabIndex={tabIndex}
      draggable={props.isMovable ? false : undefined}
      aria-current={isOpen ? "page" : undefined}
    >
      {icon}
      <span class="grow truncate" dir="auto">
        {name}
      </span>
      {id && !isOpen && <DraftSign id={id} />}
      {isMuted && <MutedSign until={mutedUntil} />}
      <UnreadBadge mentions={mentions} isUnread={isUnread} label={label} />
      {props.count ? <span class="muted small">{props.count}</span> : null}
    </a>
  );
}
type LinkProps = SidebarRowProps & { tabIndex: number };

type SwipeProps = { row: RefObject<HTMLElement | null>; onSwipe(): void };

/** Only for rows with a swipe action: others leave touches to the browser. */
function RowSwipe({ row, onSwipe }: SwipeProps) {
  useRowSwipe(row, onSwipe);
  return null;
}

type ConversationRowProps = {
  item: SidebarItem;
  isOpen: boolean;
  /** Whether Tab reaches this row; arrows go from row to row. */
  isTabStop: boolean;
  /** Rows shown below this one, such as threads. */
  children?: ComponentChildren;
};

/** A room or conversation. */
export function ConversationRow({ item, ...state }: ConversationRowProps) {
  const { id, label, href, room, section } = item;
  const direct = room.kind === "direct" ? room : null;
  const hide = direct && (() => loadRest().then(({ hideDirect }) => hideDirect(direct), showError));
  return (
    <SidebarRow
      id={id}
      href={href}
      name={label}
      {...state}
      icon={direct ? <Faces direct={direct.direct} size={22} /> : <RoomIcon room={room} />}
      title={label}
      news={{ ...item, label: direct ? formatBadge(item.mentions) : undefined }}
      isMovable={section !== "archived"}
      menuLabel={direct ? undefined : t("sidebar.actions", { room: label })}
      menu={(anchor, onClose) => <ConversationMenu room={room} anchor={anchor} onClose={onClose} />}
      hide={
        hide && mayHide(direct) ? { label: t("direct.hide-one", { name: label }), run: hide } : null
      }
    />
  );
}
