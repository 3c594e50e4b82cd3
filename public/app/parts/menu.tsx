import type { IconNode } from "lucide";
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { IconButton } from "./button.tsx";
import { quietRest } from "./load-rest.tsx";
import type { Anchor } from "./use-popover.ts";

const MenuList = quietRest("MenuList");

export type MenuItem = {
  /** Set where another item may have the same label. */
  id?: string;
  label: string;
  icon?: IconNode;
  danger?: boolean;
  /** Activates the item while the menu is open, in the format of `nameOfKey`. */
  shortcut?: string;
  /** Set for radio items: whether the item is selected. */
  checked?: boolean;
  /** Whether the item is a switch rather than one of several choices. */
  isSwitch?: boolean;
  /** Whether a line separates it from the items before it. */
  isApart?: boolean;
  items?: MenuItem[];
  onSelect?(): void;
};

type MenuProps = { icon: IconNode; label: string; items: MenuItem[] };

/**
 * A button with a menu: arrows move and open submenus, letters activate items or jump to them, Esc
 * closes and returns the focus.
 */
export function Menu({ items, ...button }: MenuProps) {
  return (
    <MenuButton
      {...button}
      list={(anchor, onClose) => (
        <MenuList label={button.label} items={items} anchor={anchor} onClose={onClose} />
      )}
    />
  );
}

type MenuButtonProps = {
  icon: IconNode;
  label: string;
  class?: string;
  disabled?: boolean;
  /** Renders the open menu, whose code may be loaded on demand. */
  list(anchor: Anchor | null, onClose: () => void): ComponentChildren;
};

/** A button that opens a menu, to which `onClose` returns the focus. */
export function MenuButton({ class: name, list, ...button }: MenuButtonProps) {
  const [open, setOpen] = useState(false);
  const wrap = useRef<HTMLSpanElement>(null);
  const close = () => {
    setOpen(false);
    wrap.current?.querySelector("button")?.focus();
  };
  return (
    <span ref={wrap} class={name}>
      <IconButton {...button} expanded={open} onClick={() => setOpen(!open)} />
      {open && list(wrap.current, close)}
    </span>
  );
}

/** A button that opens a menu: the attributes of the button, and those of the open menu. */
export function useMenu() {
  const [isOpen, setOpen] = useState(false);
  const ref = useRef<HTMLButtonElement>(null);
  const onClose = () => {
    setOpen(false);
    ref.current?.focus();
  };
  return {
    isOpen,
    button: { ref, "aria-expanded": isOpen, onClick: () => setOpen(!isOpen) },
    menu: { anchor: ref.current, onClose },
  };
}
