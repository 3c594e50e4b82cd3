import { ChevronDown } from "lucide";
import { useRef, useState } from "preact/hooks";
import { Icon } from "./icon.tsx";
import type { MenuItem } from "./menu.tsx";
import { MenuList } from "./menu-list.tsx";
import type { Side } from "./use-popover.ts";

type ChipMenuProps = {
  label: string;
  items: MenuItem[];
  isOn?: boolean;
  /** The edge of the chip with which the menu is aligned. */
  side?: Side;
};

/** A filter that opens a menu with its values. */
export function ChipMenu({ label, items, isOn = false, side = "start" }: ChipMenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  const chip = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={chip}
        type="button"
        class={`chip reach gap-4 small ${isOn ? "chosen" : ""}`}
        data-stop
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        <span class="truncate">{label}</span>
        <Icon of={ChevronDown} />
      </button>
      {isOpen && (
        <MenuList
          label={label}
          items={items}
          anchor={chip.current}
          side={side}
          onClose={() => {
            setIsOpen(false);
            chip.current?.focus();
          }}
        />
      )}
    </>
  );
}
