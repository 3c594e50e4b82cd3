import { ListFilter } from "lucide";
import { markAllRead } from "../session/mark-read.ts";
import { arrangeSidebar } from "../session/arrange.ts";
import { sidebarItems, sidebarSettings } from "../session/sidebar-items.ts";
import { reportOutcome } from "../session/toasts.ts";
import { Menu } from "../parts/menu.tsx";
import { t } from "../words/translate.ts";

const SORTS = ["name", "unread", "custom"] as const;

/** The order of the rooms, and actions on all of them. */
export function ViewMenu() {
  const { sort } = sidebarSettings.value;
  const sorts = SORTS.map((choice) => ({
    label: t(`room-list.sort-${choice}`),
    checked: choice === sort,
    onSelect: () => arrangeSidebar({ sort: choice }),
  }));
  const hasUnread = sidebarItems.value.some(({ room }) => room.membership?.unread);
  const readAll = {
    label: t("room-list.read-all"),
    onSelect: () => reportOutcome(markAllRead(), () => t("room-list.all-read")),
  };
  const items = hasUnread ? [...sorts, readAll] : sorts;
  return <Menu icon={ListFilter} label={t("room-list.view")} items={items} />;
}
