import { useRef } from "preact/hooks";
import type { SidebarSettings } from "../../../src/wire/models.ts";
import type { Section as OwnSection } from "../../../src/wire/sections.ts";
import {
  arrangeSections,
  type Held,
  type Section,
  type SidebarItem,
} from "../state/sidebar/sidebar-sections.ts";
import { weightOf } from "../state/model/unread.ts";

/**
 * The sections of the sidebar. Their order does not change while the reader looks at it: an opened
 * room keeps the position that it had while unread, and a room that becomes unread does not move
 * the rows below the pointer.
 */
export function useHeldOrder(
  items: SidebarItem[],
  settings: SidebarSettings,
  openId: string | null,
  isHovered: boolean,
  ownSections: OwnSection[],
): Section[] {
  const held = useRef<Held>(null);
  const before = useRef(new Map<string, number>());
  if (openId !== (held.current?.id ?? null)) {
    const item = items.find(({ id }) => id === openId);
    held.current = item ? { id: item.id, weight: weightOf(item) } : null;
  }
  const sections = arrangeSections(items, settings, openId, held.current, ownSections);
  // Only the order by unread can change without an action of the reader.
  if (settings.sort !== "unread") return sections;
  const place = ({ id }: SidebarItem) => before.current.get(id) ?? before.current.size;
  const hold = (own: SidebarItem[]) => own.toSorted((a, b) => place(a) - place(b));
  const heldSections = isHovered
    ? sections.map((section) =>
        section.own ? section : { ...section, all: hold(section.all), items: hold(section.items) },
      )
    : sections;
  before.current = new Map(
    heldSections.flatMap(({ all }) => all).map(({ id }, index) => [id, index]),
  );
  return heldSections;
}
