import { signal } from "@preact/signals";
import { type MenuItem, MenuList } from "./menu.tsx";
import { type Anchor, pointOf } from "./use-popover.ts";

type ContextMenuState = {
  label: string;
  items: MenuItem[];
  anchor: Anchor;
  opener: Element | null;
  /** Counts the menus, because a right click elsewhere replaces one. */
  number: number;
};

const contextMenu = signal<ContextMenuState | null>(null);

/**
 * Opens a menu at the pointer instead of the browser's. The browser's menu stays with the Shift key, and
 * on what it has more to offer for: links to other pages, pictures, fields, and selected text.
 * @param label the menu's accessible name
 */
export function openContextMenu(event: MouseEvent, label: string, items: MenuItem[]): void {
  if (items.length === 0 || belongsToBrowser(event)) return;
  event.preventDefault();
  contextMenu.value = {
    label,
    items,
    anchor: pointOf(event),
    opener: document.activeElement,
    number: (contextMenu.peek()?.number ?? 0) + 1,
  };
}

function belongsToBrowser({ shiftKey, target }: MouseEvent): boolean {
  if (shiftKey || !(target instanceof Element)) return true;
  if (target.closest("input, textarea, img, video, .content a[href]")) return true;
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(target, true);
}

/** The menu that a right click has opened; its end returns the focus. */
export function ContextMenu() {
  const open = contextMenu.value;
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
