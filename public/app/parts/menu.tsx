import { Check, type IconNode } from "lucide";
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { IconButton } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { nameOfKey } from "./key-names.ts";
import { moveFocus, WITH_ENDS } from "./move-focus.ts";
import { type Anchor, usePopover } from "./use-popover.ts";
import { t } from "../words/translate.ts";

export type MenuItem = {
  label: string;
  icon?: IconNode;
  danger?: boolean;
  /** The key that runs it while the menu is open, as `nameOfKey` names it. */
  shortcut?: string;
  /** Set for radio items: whether this one is selected. */
  checked?: boolean;
  /** Whether it is on or off by itself, rather than one of several choices. */
  isSwitch?: boolean;
  onSelect(): void;
};

type MenuProps = { icon: IconNode; label: string; items: MenuItem[] };

/** A button with a menu: arrows move, letters press or jump, Esc closes and returns the focus. */
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
  /** Renders the open menu, which may be of code that is loaded later. */
  list(anchor: Anchor | null, onClose: () => void): ComponentChildren;
};

/** A button that opens a menu, to which `onClose` returns the focus. */
export function MenuButton({ icon, label, list }: MenuButtonProps) {
  const [open, setOpen] = useState(false);
  const wrap = useRef<HTMLSpanElement>(null);
  const close = () => {
    setOpen(false);
    wrap.current?.querySelector("button")?.focus();
  };
  return (
    <span ref={wrap}>
      <IconButton icon={icon} label={label} expanded={open} onClick={() => setOpen(!open)} />
      {open && list(wrap.current, close)}
    </span>
  );
}

type ListProps = { label: string; items: MenuItem[]; anchor: Anchor | null; onClose(): void };

/** An open menu beside its anchor; `onClose` returns the focus. */
export function MenuList({ label, items, anchor, onClose }: ListProps) {
  const ref = useRef<HTMLDivElement>(null);
  usePopover(ref, anchor, "button", onClose);
  return (
    <div
      ref={ref}
      class="menu"
      popover="auto"
      role="menu"
      aria-label={label}
      onKeyDown={(event) => onKey(event, event.currentTarget)}
    >
      {items.map((item) => (
        <button
          key={item.label}
          type="button"
          {...(item.checked === undefined
            ? { role: "menuitem" }
            : {
                role: item.isSwitch ? "menuitemcheckbox" : "menuitemradio",
                "aria-checked": item.checked,
              })}
          class={item.danger ? "danger" : ""}
          aria-keyshortcuts={item.shortcut}
          onClick={() => {
            onClose();
            item.onSelect();
          }}
        >
          {item.icon && <Icon of={item.icon} />}
          {item.label}
          {item.checked && <Icon of={Check} />}
          {item.shortcut && (
            <span class="key muted tiny" aria-hidden="true">
              {describeShortcut(item.shortcut)}
            </span>
          )}
        </button>
      ))}
    </div>
  );
}

/** A shortcut as people read it on their keys. */
export function describeShortcut(shortcut: string): string {
  if (shortcut === "Delete") return t("key.delete");
  return shortcut.replace("Shift+", `${t("key.shift")} `);
}

/** A key presses the item that names it, moves the focus, or leads to the item that begins with it. */
function onKey(event: KeyboardEvent, menu: HTMLElement): void {
  const buttons = [...menu.querySelectorAll("button")];
  if (moveFocus(event, buttons, WITH_ENDS, true)) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const name = nameOfKey(event);
  const named = buttons.find((button) => button.getAttribute("aria-keyshortcuts") === name);
  const letter = event.key.length === 1 ? event.key.toLowerCase() : null;
  const next =
    letter && buttons.find((button) => button.textContent?.toLowerCase().startsWith(letter));
  if (!named && !next) return;
  event.preventDefault();
  if (named) named.click();
  else if (next) next.focus();
}
