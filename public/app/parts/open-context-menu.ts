import { signal } from "@preact/signals";
import type { MenuItem } from "./menu.tsx";
import { type Anchor, pointOf, whenReleased } from "./use-popover.ts";

type ContextMenuState = {
  label: string;
  items: MenuItem[];
  anchor: Anchor;
  opener: Element | null;
  /** Identifies the menu, because a right click elsewhere opens another menu in its place. */
  number: number;
};

export const contextMenu = signal<ContextMenuState | null>(null);

/**
 * Opens a menu at the pointer instead of the browser's. The browser's own menu still opens with
 * Shift, and where it offers more: on links to other pages, pictures, fields and selected text.
 * @param label the menu's accessible name
 */
export function openContextMenu(event: MouseEvent, label: string, items: MenuItem[]): void {
  if (items.length === 0 || belongsToBrowser(event)) return;
  event.preventDefault();
  const anchor = pointOf(event);
  const opener = document.activeElement;
  whenReleased(event, () => {
    const number = (contextMenu.peek()?.number ?? 0) + 1;
    contextMenu.value = { label, items, anchor, opener, number };
  });
}

function belongsToBrowser({ shiftKey, target }: MouseEvent): boolean {
  if (shiftKey || !(target instanceof Element)) return true;
  if (target.closest("input, textarea, img, video, .content a[href]")) return true;
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(target, true);
}
