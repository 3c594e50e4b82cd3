import type { SidebarItem } from "./sidebar-sections.ts";

/** The items whose name contains the letters of a query; dashes and case do not matter. */
export function filterItems(items: SidebarItem[], query: string): SidebarItem[] {
  const fold = (text: string) => text.toLowerCase().replace(/[-_\s]/g, "");
  const needle = fold(query.replace(/^\s*#/, ""));
  return items
    .filter(({ label }) => fold(label).includes(needle))
    .toSorted(
      (a, b) =>
        Number(fold(b.label).startsWith(needle)) - Number(fold(a.label).startsWith(needle)) ||
        a.label.localeCompare(b.label),
    );
}
