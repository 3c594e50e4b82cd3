import { MenuList } from "./menu-list.tsx";
import { contextMenu } from "./open-context-menu.ts";

/** The menu opened by a right click. Closing it returns the focus. */
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
