import { ChevronDown } from "lucide";
import { Icon } from "./icon.tsx";
import { type MenuItem, useMenu } from "./menu.tsx";
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
  const { isOpen, button, menu } = useMenu();
  return (
    <>
      <button
        {...button}
        type="button"
        class={`chip reach gap-4 small ${isOn ? "chosen" : ""}`}
        data-stop
        aria-haspopup="menu"
      >
        <span class="truncate">{label}</span>
        <Icon of={ChevronDown} />
      </button>
      {isOpen && <MenuList {...menu} label={label} items={items} side={side} />}
    </>
  );
}
