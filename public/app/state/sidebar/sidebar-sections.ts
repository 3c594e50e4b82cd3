import type { SidebarSettings } from "../../../../src/wire/models.ts";
import type { Section as OwnSection } from "../../../../src/wire/sections.ts";
import { isHidden } from "../conversations/directs.ts";
import type { Conversation } from "../model/conversation.ts";
import { type News, readNews, weightOf } from "../model/unread.ts";
import { placePath } from "../route.ts";

/** The built-in sections. */
export type SectionName = "favourites" | "direct" | "rooms" | "archived";

/**
 * How many of the most recently active direct conversations are shown, besides those that are
 * unread, pinned or open.
 */
const MAX_RECENT = 8;

/** A row of the sidebar: a room or a direct conversation. */
export type SidebarItem = News & {
  id: string;
  label: string;
  href: string;
  room: Conversation;
  /** The item's section if it is neither a favourite nor in one of the reader's own sections. */
  section: Exclude<SectionName, "favourites">;
  /** When it became a favourite, or was pinned. */
  pinnedAt: string | null;
};

export type Section = {
  /** The name of a built-in section, or the id of one of the reader's own. */
  key: string;
  all: SidebarItem[];
  /** The visible items: in a collapsed section, those that are unread or open. */
  items: SidebarItem[];
  isCollapsed: boolean;
} & ({ name: SectionName; own: null } | { name: "own"; own: OwnSection });

/** A room, or a conversation with its name, as the sidebar, the title and the app's badge show it. */
export function toSidebarItem(room: Conversation): SidebarItem {
  const { membership } = room;
  return {
    id: room.id,
    label: room.name,
    href: placePath(room),
    room,
    section: room.kind === "direct" ? "direct" : room.is_archived ? "archived" : "rooms",
    pinnedAt: membership?.pinned_at ?? null,
    ...readNews(membership),
  };
}

/** The sum of what is unread in all items: the mentions, and whether anything else is unread. */
export function sumNews(items: Pick<SidebarItem, "mentions" | "isUnread">[]) {
  return {
    mentions: items.reduce((sum, { mentions }) => sum + mentions, 0),
    isUnread: items.some((item) => item.isUnread),
  };
}

/** The open item, and the weight that it had while unread, which keeps its position. */
export type OpenItem = { id: string; weight: number } | null;

const byName = (a: SidebarItem, b: SidebarItem) => a.label.localeCompare(b.label);

/**
 * The sections that are not empty, with their items in the chosen order: favourites, the reader's
 * own sections, direct conversations, the other rooms and those that are archived. Direct
 * conversations stay in the given order.
 * @param openId the open item, which is shown even in a collapsed section
 */
export function arrangeSections(
  items: SidebarItem[],
  settings: SidebarSettings,
  openId: string | null = null,
  openItem: OpenItem = null,
  ownSections: OwnSection[] = [],
): Section[] {
  const ownKeys = new Map(
    ownSections.flatMap(({ id, room_ids }) => room_ids.map((roomId) => [roomId, id] as const)),
  );
  const itemsByKey = Map.groupBy(items, (item) => keyOf(item, ownKeys));
  const compare = createComparisons(settings, openItem);
  const isShown = (item: SidebarItem) => item.isUnread || item.id === openId;
  const builtIn = (name: SectionName): Section[] => {
    const all = itemsByKey.get(name)?.toSorted(compare[name]);
    if (!all) return [];
    const isCollapsed = settings.collapsed.includes(name);
    const isRecent = (item: SidebarItem, i: number) =>
      name !== "direct" || i < MAX_RECENT || item.pinnedAt !== null;
    const visibleItems = all.filter(
      (item, i) => isShown(item) || (!isCollapsed && isRecent(item, i)),
    );
    return [{ key: name, name, own: null, all, items: visibleItems, isCollapsed }];
  };
  const own = ownSections.map((section): Section => {
    const { id, room_ids, is_collapsed: isCollapsed } = section;
    const places = new Map(room_ids.map((roomId, index) => [roomId, index]));
    const place = (item: SidebarItem) => places.get(item.id) ?? 0;
    const all = (itemsByKey.get(id) ?? [])
      .filter((item) => item.id === openId || !isHiddenItem(item))
      .toSorted((a, b) => place(a) - place(b));
    const visibleItems = isCollapsed ? all.filter(isShown) : all;
    return { key: id, name: "own", own: section, all, items: visibleItems, isCollapsed };
  });
  return [
    ...builtIn("favourites"),
    ...own,
    ...builtIn("direct"),
    ...builtIn("rooms"),
    ...builtIn("archived"),
  ];
}

function createComparisons({ order, sort }: SidebarSettings, openItem: OpenItem) {
  const places = new Map(order.map((id, index) => [id, index]));
  const place = ({ id }: SidebarItem) => places.get(id) ?? Number.MAX_SAFE_INTEGER;
  const weight = (item: SidebarItem) =>
    item.id === openItem?.id ? openItem.weight : weightOf(item);
  const bySort = {
    custom: (a: SidebarItem, b: SidebarItem) => place(a) - place(b) || byName(a, b),
    unread: (a: SidebarItem, b: SidebarItem) => weight(a) - weight(b) || byName(a, b),
    name: byName,
  };
  const byPin = (a: SidebarItem, b: SidebarItem) =>
    place(a) - place(b) || ((a.pinnedAt ?? "") < (b.pinnedAt ?? "") ? -1 : 1);
  return { favourites: byPin, direct: () => 0, rooms: bySort[sort], archived: byName };
}

/**
 * The key of an item's section. An archived item is neither in the favourites nor in one of the
 * reader's own sections. A favourite returns to its section when it is no longer a favourite.
 */
function keyOf(item: SidebarItem, ownKeys: Map<string, string>): string {
  if (item.section === "archived") return "archived";
  const isFavourite = item.pinnedAt !== null && item.section === "rooms";
  return isFavourite ? "favourites" : (ownKeys.get(item.id) ?? item.section);
}

const isHiddenItem = ({ room }: SidebarItem) => room.kind === "direct" && isHidden(room);
