import { useState } from "preact/hooks";
import { SearchBox } from "../parts/search-box.tsx";
import { sidebarItems } from "../session/sidebar-items.ts";
import type { SidebarItem } from "../state/sidebar/sidebar-sections.ts";
import { filterItems } from "../state/sidebar/sidebar-filter.ts";
import { ROW } from "./rows.ts";
import { t } from "../words/translate.ts";

type RoomFilterProps = { onChange(found: SidebarItem[] | null): void };

/**
 * Shows only the rooms whose names have these letters; Enter opens the first of them.
 * @param onChange gets these rooms, or null for all
 */
export function RoomFilter({ onChange }: RoomFilterProps) {
  const [query, setQuery] = useState("");
  const change = (next: string) => {
    setQuery(next);
    onChange(next.trim() === "" ? null : filterItems(sidebarItems.value, next));
  };
  const first = () => document.querySelector<HTMLElement>(`.sidebar ${ROW}`);
  const isEmpty = query.trim() !== "" && filterItems(sidebarItems.value, query).length === 0;
  return (
    <>
      <SearchBox
        class="filter"
        label={t("room-list.filter")}
        placeholder={t("room-list.filter")}
        value={query}
        onValue={change}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") first()?.focus();
          else if (event.key === "Enter") {
            first()?.click();
            change("");
          } else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      {isEmpty && (
        <p class="muted small hint" role="status">
          {t("room-list.no-match")} <a href="/browse">{t("shell.browse")}</a>
        </p>
      )}
    </>
  );
}
