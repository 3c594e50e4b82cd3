import type { MyRoom, SidebarSettings } from "../../../../src/wire/models.ts";
import { type News, readNews, weightOf } from "../model/unread.ts";
import { roomPath } from "../route.ts";

/** The sections of the sidebar, in their order. One without items is not shown. */
const SECTIONS = ["favourites", "rooms", "archived"] as const;
export type SectionName = (typeof SECTIONS)[number];

/** A line of the sidebar. */
export type SidebarItem = News & {
  id: string;
  label: string;
  href: string;
  room: MyRoom;
  /** The section of an item that is not a favourite. */
  section: Exclude<SectionName, "favourites">;
  /** Since when it is a favourite. */
  pinnedAt: string | null;
};

export type Section = {
  name: SectionName;
  all: SidebarItem[];
  /** The visible items: in a collapsed section, those that are unread or open. */
  items: SidebarItem[];
  isCollapsed: boolean;
};

/** A room as the sidebar, the title and the app's badge show it. */
export function toSidebarItem(room: MyRoom): SidebarItem {
  const { membership } = room;
  return {
    id: room.id,
    label: room.name,
    href: roomPath(room.name),
    room,
    section: room.is_archived ? "archived" : "rooms",
    pinnedAt: membership?.pinned_at ?? null,
    ...readNews(membership),
  };
}

/** What is unread in all items: how many mentions, and whether anything else. */
export function sumNews(items: Pick<SidebarItem, "mentions" | "isUnread">[]) {
  return {
    mentions: items.reduce((sum, { mentions }) => sum + mentions, 0),
    isUnread: items.some((item) => item.isUnread),
  };
}

/** The open item, which keeps the position that it had while unread. */
export type Held = { id: string; weight: number } | null;

const byName = (a: SidebarItem, b: SidebarItem) => a.label.localeCompare(b.label);

/**
 * The sections with their items in the chosen order.
 * @param openId the open item: it is shown in a collapsed section too
 */
export function arrangeSections(
  items: SidebarItem[],
  settings: SidebarSettings,
  openId: string | null = null,
  held: Held = null,
): Section[] {
  const places = new Map(settings.order.map((id, index) => [id, index]));
  const place = ({ id }: SidebarItem) => places.get(id) ?? Number.MAX_SAFE_INTEGER;
  const weight = (item: SidebarItem) => (item.id === held?.id ? held.weight : weightOf(item));
  const compare = {
    custom: (a: SidebarItem, b: SidebarItem) => place(a) - place(b) || byName(a, b),
    unread: (a: SidebarItem, b: SidebarItem) => weight(a) - weight(b) || byName(a, b),
    name: byName,
  };
  const byPin = (a: SidebarItem, b: SidebarItem) =>
    place(a) - place(b) || ((a.pinnedAt ?? "") < (b.pinnedAt ?? "") ? -1 : 1);
  return SECTIONS.flatMap((name): Section[] => {
    const own = items.filter((item) => sectionOf(item) === name);
    if (own.length === 0) return [];
    const isCollapsed = settings.collapsed.includes(name);
    const all = own.toSorted(
      name === "favourites" ? byPin : name === "archived" ? byName : compare[settings.sort],
    );
    const visible = all.filter((item) => !isCollapsed || item.isUnread || item.id === openId);
    return [{ name, all, items: visible, isCollapsed }];
  });
}

/** An archived item is no favourite while it is archived. */
function sectionOf(item: SidebarItem): SectionName {
  return item.pinnedAt && item.section !== "archived" ? "favourites" : item.section;
}
