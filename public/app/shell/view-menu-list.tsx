import { MAX_SECTIONS } from "../../../src/wire/limits.ts";
import { markAllRead } from "../session/mark-read.ts";
import { arrangeSidebar } from "../session/arrange.ts";
import { openDialog } from "../session/overlay.ts";
import { ownSections, sidebarItems, sidebarSettings } from "../session/sidebar-items.ts";
import { reportOutcome } from "../session/toasts.ts";
import type { MenuItem } from "../parts/menu.tsx";
import { MenuList } from "../parts/menu-list.tsx";
import type { Anchor } from "../parts/use-popover.ts";
import { t } from "../words/translate.ts";

const SORTS = ["name", "unread", "custom"] as const;

type ViewMenuListProps = { anchor: Anchor | null; onClose(): void };

export function ViewMenuList({ anchor, onClose }: ViewMenuListProps) {
  const { sort } = sidebarSettings.value;
  const items: MenuItem[] = SORTS.map((choice) => ({
    label: t(`room-list.sort-${choice}`),
    checked: choice === sort,
    onSelect: () => arrangeSidebar({ sort: choice }),
  }));
  if (ownSections.value.length < MAX_SECTIONS) {
    items.push({
      label: t("sections.new"),
      onSelect: () => openDialog({ name: "section" }),
    });
  }
  if (sidebarItems.value.some(({ room }) => room.membership?.unread)) {
    items.push({
      label: t("action.mark-all-read"),
      isApart: true,
      onSelect: () => reportOutcome(markAllRead(), () => t("room-list.all-read")),
    });
  }
  return <MenuList label={t("room-list.view")} items={items} anchor={anchor} onClose={onClose} />;
}
