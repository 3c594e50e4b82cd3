import { ArrowLeft, Check, ChevronRight, Square, SquareCheck } from "lucide";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { t } from "../words/translate.ts";
import { Icon } from "./icon.tsx";
import { nameOfKey } from "./key-names.ts";
import type { MenuItem } from "./menu.tsx";
import { moveFocus, WITH_ENDS } from "./move-focus.ts";
import { Popup } from "./popup.tsx";
import type { Anchor, Side } from "./use-popover.ts";
import { pointOf, whenReleased } from "./long-press.ts";
import { signal } from "@preact/signals";

type ListProps = {
  label: string;
  /** Whether the label is shown above the items. */
  hasHeading?: boolean;
  items: MenuItem[];
  anchor: Anchor | null;
  side?: Side;
  onClose(): void;
};

/** The open menu, beside its anchor or in a sheet; `onClose` returns the focus. */
export function MenuList(props: ListProps) {
  const { label, hasHeading, items, anchor, side, onClose } = props;
  const ref = useRef<HTMLDivElement>(null);
  const [submenu, setSubmenu] = useState<MenuItem | null>(null);
  useSubmenuFocus(ref, anchor, submenu, items);
  const back: MenuItem = {
    label: submenu?.label ?? "",
    icon: ArrowLeft,
    onSelect: () => setSubmenu(null),
  };
  const choose = (item: MenuItem) => {
    if (item.items) setSubmenu(item);
    else if (item !== back) onClose();
    item.onSelect?.();
  };
  return (
    <Popup
      content={ref}
      label={label}
      role="menu"
      class="menu"
      anchor={anchor}
      side={side}
      first="button"
      onKeyDown={(event) => ref.current && onKey(event, ref.current)}
      onClose={onClose}
    >
      {hasHeading && !submenu && (
        <p class="menu-heading muted tiny strong" aria-hidden="true">
          {label}
        </p>
      )}
      {(submenu?.items ? [back, ...submenu.items] : items).map((item, i, all) => (
        <button
          key={keyOf(item)}
          type="button"
          {...(item.checked === undefined
            ? { role: "menuitem" }
            : {
                role: item.isSwitch ? "menuitemcheckbox" : "menuitemradio",
                "aria-checked": item.checked,
              })}
          class={`row full rounded control ${item === back ? "back" : classOf(item, all[i - 1])}`}
          aria-keyshortcuts={item.shortcut}
          aria-haspopup={item.items && "menu"}
          onClick={() => choose(item)}
        >
          {isTicked(item) && <Icon of={signOf(item)} />}
          {item.icon && <Icon of={item.icon} />}
          {item.label}
          {item.icon && item.checked && <Icon of={Check} />}
          {item.items && <Icon of={ChevronRight} />}
          {item.shortcut && (
            <span class="key muted tiny" aria-hidden="true">
              {describeShortcut(item.shortcut)}
            </span>
          )}
        </button>
      ))}
    </Popup>
  );
}

const keyOf = ({ id, label }: MenuItem) => id ?? label;

/** Whether a tick is shown in place of the icon; an item with an icon has its tick at the end. */
const isTicked = ({ checked, icon }: MenuItem) => checked !== undefined && !icon;

/** A box for a switch, which would otherwise look like one of several choices. */
const signOf = ({ isSwitch, checked }: MenuItem) =>
  isSwitch ? (checked ? SquareCheck : Square) : Check;

function classOf(item: MenuItem, previous: MenuItem | undefined): string {
  const isTickedChoice = isTicked(item) && !item.isSwitch;
  const look = item.danger ? "danger" : isTickedChoice ? "ticked" : "";
  return `${look} ${previous && isApart(item, previous) ? "apart" : ""}`;
}

/** Whether a line separates two items. A line also follows choices and precedes dangerous items. */
function isApart(item: MenuItem, previous: MenuItem): boolean {
  if (item.isApart || (item.danger && !previous.danger)) return true;
  return isChoice(previous) && !isChoice(item);
}

const isChoice = ({ checked, isSwitch }: MenuItem) => checked !== undefined && !isSwitch;

/** When a submenu opens, focuses its first choice; when it closes, the item that opened it. */
function useSubmenuFocus(
  ref: RefObject<HTMLElement | null>,
  anchor: Anchor | null,
  submenu: MenuItem | null,
  items: MenuItem[],
): void {
  const before = useRef<MenuItem | null>(null);
  useLayoutEffect(() => {
    const previousSubmenu = before.current;
    before.current = submenu;
    if (!ref.current || !anchor || previousSubmenu === submenu) return;
    const buttons = [...ref.current.querySelectorAll("button")];
    // The first button goes back to the parent menu.
    const opener =
      buttons[items.findIndex((item) => previousSubmenu && keyOf(item) === keyOf(previousSubmenu))];
    const current = buttons.find((button) => button.ariaChecked === "true");
    (submenu ? (current ?? buttons[1]) : opener)?.focus();
  }, [submenu]);
}

export function describeShortcut(shortcut: string): string {
  return shortcut.split("+").map(describeKey).join(" ");
}

function describeKey(key: string): string {
  if (key === "Control") return isApple ? "⌘" : t("key.ctrl");
  if (key === "Shift") return t("key.shift");
  if (key === "Delete") return t("key.delete");
  return key.startsWith("Esc") ? t("key.esc") : key;
}

/** Whether shortcuts use Cmd instead of Ctrl. */
export const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/**
 * Handles a key: activates the item with that shortcut, moves the focus, or jumps to an item that
 * starts with that letter.
 */
function onKey(event: KeyboardEvent, menu: HTMLElement): void {
  const buttons = [...menu.querySelectorAll("button")];
  if (moveFocus(event, buttons, WITH_ENDS, { wraps: true })) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const level = { ArrowRight: "[aria-haspopup]:focus", ArrowLeft: ".back" }[event.key];
  if (level) {
    menu.querySelector<HTMLElement>(level)?.click();
    return;
  }
  const name = nameOfKey(event);
  const matchingButton = buttons.find(
    (button) => button.getAttribute("aria-keyshortcuts") === name,
  );
  const letter = event.key.length === 1 ? event.key.toLowerCase() : null;
  const next =
    letter && buttons.find((button) => button.textContent?.toLowerCase().startsWith(letter));
  if (!matchingButton && !next) return;
  event.preventDefault();
  if (matchingButton) matchingButton.click();
  else if (next) next.focus();
}

/** The menu opened by a right click. Closing it returns the focus. */
export function ContextMenu() {
  const open = contextMenu.value;
  useLayoutEffect(() => {
    // Not a class, which a new version of the row would replace.
    open?.row.toggleAttribute("data-open", true);
    return () => open?.row.removeAttribute("data-open");
  }, [open]);
  if (!open) return null;
  const { label, items, anchor, opener, number } = open;
  return (
    <MenuList
      key={number}
      label={label}
      items={items}
      anchor={anchor}
      onClose={() => {
        if (contextMenu.value !== open) return;
        contextMenu.value = null;
        if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
      }}
    />
  );
}

type ContextMenuState = {
  label: string;
  items: MenuItem[];
  anchor: Anchor;
  /** What the menu is about, which looks hovered while it is open. */
  row: Element;
  opener: Element | null;
  /** Identifies the menu, because a right click elsewhere opens another menu in its place. */
  number: number;
};

const contextMenu = signal<ContextMenuState | null>(null);

/**
 * Opens a menu at the pointer instead of the browser's. The browser's own menu still opens with
 * Shift, and where it offers more: on links to other pages, pictures, fields and selected text.
 * @param label the menu's accessible name
 * @param items the menu opens once they are loaded
 * @param row what the menu is about
 */
export function openContextMenu(
  event: MouseEvent,
  label: string,
  items: MenuItem[] | Promise<MenuItem[]>,
  row = event.currentTarget as Element,
): void {
  if (("length" in items && items.length === 0) || belongsToBrowser(event)) return;
  event.preventDefault();
  const anchor = pointOf(event);
  const opener = document.activeElement;
  whenReleased(event, async () => {
    const loaded = await items;
    const number = (contextMenu.peek()?.number ?? 0) + 1;
    if (loaded.length > 0)
      contextMenu.value = { label, items: loaded, anchor, row, opener, number };
  });
}

/** Whether a long press of a touch screen requests the menu. */
export const isTouch = (event: MouseEvent) =>
  "pointerType" in event && event.pointerType === "touch";

export function belongsToBrowser({ shiftKey, target }: MouseEvent): boolean {
  if (shiftKey || !(target instanceof Element)) return true;
  if (target.closest("input, textarea, img:not(.avatar), video, .content a[href]")) return true;
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(target, true);
}
