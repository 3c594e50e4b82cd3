import { MAX_ROOM_ORDER } from "../../../../src/wire/limits.ts";
import type { SidebarSettings } from "../../../../src/wire/models.ts";
import type { Section, SectionName } from "./sidebar-sections.ts";

export type Move = { pinned?: boolean; settings: Partial<SidebarSettings> };

/**
 * Moves an item before another one, or to the end of a section. A move between favourites and rooms
 * changes whether it is a favourite; a move within the rooms switches to a manual order.
 * @param beforeId the item that will follow it; null at the section's end
 */
export function moveItem(
  sections: Section[],
  settings: SidebarSettings,
  id: string,
  to: "favourites" | "rooms",
  beforeId: string | null,
): Move {
  const idsOf = (name: SectionName) =>
    sections.find((section) => section.name === name)?.all.map((item) => item.id) ?? [];
  const target = idsOf(to).filter((item) => item !== id);
  const at = beforeId === null ? target.length : target.indexOf(beforeId);
  const moved = target.toSpliced(at < 0 ? target.length : at, 0, id);
  const other = idsOf(to === "rooms" ? "favourites" : "rooms").filter((item) => item !== id);
  const [favourites, rooms] = to === "favourites" ? [moved, other] : [other, moved];
  const wasFavourite = idsOf("favourites").includes(id);
  const isSorted = settings.sort === "custom";
  // While rooms are sorted by name, an order is stored only if a room was moved among the rooms.
  const ordersRooms = isSorted || (to === "rooms" && idsOf("rooms").includes(id));
  const listedIds = new Set([...favourites, ...rooms]);
  const rest = settings.order.filter((id) => !listedIds.has(id));
  const placed = settings.order.filter((id) => rooms.includes(id));
  return {
    pinned: wasFavourite === (to === "favourites") ? undefined : to === "favourites",
    settings: {
      order: [...favourites, ...(ordersRooms ? rooms : placed), ...rest].slice(0, MAX_ROOM_ORDER),
      ...(ordersRooms && !isSorted && { sort: "custom" as const }),
    },
  };
}
