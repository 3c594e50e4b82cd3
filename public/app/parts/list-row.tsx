import { Ellipsis, Hash, type IconNode } from "lucide";
import type { ComponentChildren, ComponentProps } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../words/translate.ts";
import { IconButton } from "./button.tsx";
import { nameOfKey } from "./key-names.ts";
import { menuHandlers } from "./long-press.ts";
import type { MenuItem } from "./menu.tsx";
import { MenuList } from "./menu-list.tsx";
import { moveFocus, WITH_ENDS } from "./move-focus.ts";
import { fullTimeOf, formatShortAgo } from "./times.ts";
import { UnreadBadge } from "./unread-badge.tsx";
import { useMedia } from "./use-media.ts";
import type { Anchor } from "./use-popover.ts";
import { useRowSwipe } from "./use-swipes.ts";
import { Icon } from "./icon.tsx";
import { RoomIcon } from "./room-icon.tsx";

/** Its shortcut also runs it on a focused row. */
export type RowAction = MenuItem & { icon: IconNode; onSelect(): void };

type ListRowProps = {
  /** The address of the row; null without one. */
  href: string | null;
  /** Called when it is opened. Without an address, the row is a button. */
  onOpen?(): void;
  /** A picture or an icon of 32 px. */
  mark: ComponentChildren;
  title: ComponentChildren;
  /** Beside the title; below it in a narrow window, where the title and the time need the line. */
  place?: ComponentChildren;
  at?: string | null;
  /** The time as text; by default, how long ago it was. */
  when?: string;
  /** What the time's tooltip adds to the whole date. */
  whenHint?: string;
  /** What is new in the row, whose title is then bold. */
  news?: { count?: number; label?: string } | null;
  /** The text below the title, at most two lines. */
  text?: ComponentChildren;
  isCurrent?: boolean;
  actions?: RowAction[];
  /** Opens a menu at the pointer, of a row without actions. */
  onMenu?(event: MouseEvent): void;
  onSwipe?(): void;
  /** Further lines of the link. */
  children?: ComponentChildren;
  /** Below the link: buttons, or an error. */
  footer?: ComponentChildren;
  /** At the end of the row, beside the link: a labelled button, or cells and a menu. */
  aside?: ComponentChildren;
};

/**
 * A row of any list of messages, threads, conversations or rooms. Its actions replace the time
 * while the row is hovered or focused. A long press and a right click show them as a menu, and so
 * does a button that a touch screen has for keyboards and assistive technology.
 */
export function ListRow(props: ListRowProps) {
  const { actions = [], onMenu, onSwipe, footer, aside } = props;
  const [menuAnchor, setMenuAnchor] = useState<Anchor | null>(null);
  const row = useRef<HTMLDivElement>(null);
  useRowSwipe(
    row,
    () => onSwipe?.(),
    () => onSwipe !== undefined,
  );
  const menu = actions.length > 0 ? menuHandlers(setMenuAnchor) : null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the link or button inside takes the keys
    <div
      ref={row}
      class={`list-row ${aside ? "row wrap" : ""}`}
      onContextMenu={onMenu}
      {...menu}
      onKeyDown={(event) => {
        menu?.onKeyDown(event);
        if (!event.defaultPrevented) runShortcut(event, actions);
      }}
    >
      <RowLink {...props} />
      {aside && <div class="row-aside row">{aside}</div>}
      {footer && <div class="row-footer full">{footer}</div>}
      {actions.length > 0 && (
        <>
          <div class="row-actions flex absolute">
            {actions.map(({ icon, label, shortcut, onSelect }) => (
              <IconButton
                key={label}
                icon={icon}
                label={label}
                shortcut={shortcut}
                onClick={onSelect}
              />
            ))}
          </div>
          <IconButton
            icon={Ellipsis}
            label={t("row.actions")}
            class="row-more absolute"
            expanded={menuAnchor !== null}
            onClick={() => setMenuAnchor(row.current)}
          />
        </>
      )}
      {menuAnchor && (
        <MenuList
          label={t("row.actions")}
          items={actions}
          anchor={menuAnchor}
          onClose={() => {
            setMenuAnchor(null);
            row.current?.querySelector<HTMLElement>(STOP)?.focus();
          }}
        />
      )}
    </div>
  );
}

function runShortcut(event: KeyboardEvent, actions: RowAction[]): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const name = nameOfKey(event);
  const action = actions.find(({ shortcut }) => shortcut === name);
  if (!action) return;
  event.preventDefault();
  action.onSelect();
}

function RowLink(props: ListRowProps) {
  const { href, onOpen, isCurrent } = props;
  const stop = {
    class: "row-stop rounded flex full",
    "data-stop": true,
    "aria-current": isCurrent ? ("true" as const) : undefined,
    onClick: onOpen,
    children: <RowContent {...props} />,
  };
  if (href !== null) return <a {...stop} href={href} />;
  if (onOpen) return <button {...stop} type="button" />;
  // Makes the row focusable with the arrow keys, for the shortcuts of its actions.
  return <div {...stop} tabIndex={-1} />;
}

function RowContent(props: ListRowProps) {
  const { mark, title, at, when, whenHint, news, text, children } = props;
  const isNarrow = useMedia("(max-width: 500px)");
  const count = news?.count ?? 0;
  const place = props.place && (
    <span class="row-place muted small truncate" dir="auto">
      {props.place}
    </span>
  );
  return (
    <>
      <span class="row-gutter grid rigid">
        <UnreadBadge mentions={0} isUnread={news != null && count === 0} />
      </span>
      <span class="row-mark grid rigid middle">{mark}</span>
      <span class="row-text grow">
        <span class="row-head row">
          <span class={`row-title truncate ${news ? "new" : ""}`} dir="auto">
            {title}
          </span>
          {!isNarrow && place}
          {at && (
            <time
              class="rigid muted tiny digits"
              dateTime={at}
              data-tooltip={[fullTimeOf(at), whenHint].filter(Boolean).join(" · ")}
            >
              {when ?? formatShortAgo(at)}
            </time>
          )}
        </span>
        <span class="row-about row">
          <span class="row-text grow">
            {isNarrow && place}
            {text && (
              <span class={`clamp ${news ? "" : "muted"}`} dir="auto">
                {text}
              </span>
            )}
          </span>
          {count > 0 && <UnreadBadge mentions={count} isUnread label={news?.label} />}
        </span>
        {children}
      </span>
    </>
  );
}

const STOP = ".row-stop";
const ELSEWHERE =
  ".sidebar, .search-panel, .side-panel, dialog, [popover], input, textarea, select";

/** Arrows, Home and End move among the rows of a screen, and shortcuts run their actions. */
export function useRowKeys(): void {
  useEffect(() => {
    addEventListener("keydown", moveAmongRows);
    return () => removeEventListener("keydown", moveAmongRows);
  }, []);
}

function moveAmongRows(event: KeyboardEvent): void {
  const { target } = event;
  if (event.defaultPrevented || !(target instanceof Element) || target.closest(ELSEWHERE)) return;
  const stops = [...document.querySelectorAll<HTMLElement>(`.rows-page ${STOP}`)];
  // From an action, the arrows start at its row.
  const from = target.closest(".list-row")?.querySelector(STOP) ?? null;
  moveFocus(event, stops, WITH_ENDS, { from });
}

/** The icon of a room, in the size of a row's picture; undefined for a room that is not loaded. */
export function RoomMark({ room }: { room: ComponentProps<typeof RoomIcon>["room"] | undefined }) {
  return (
    <span class="room-mark grid muted round rigid middle">
      {room ? <RoomIcon room={room} /> : <Icon of={Hash} />}
    </span>
  );
}
