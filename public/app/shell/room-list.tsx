import { SquarePen } from "lucide";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { openDirectWith } from "../session/direct.ts";
import { openConversation } from "../session/open-conversation.ts";
import {
  listDirectItems,
  ownSections,
  sidebarItems,
  sidebarSettings,
} from "../session/sidebar-items.ts";
import { store } from "../session/store.ts";
import { quietRest } from "../parts/load-rest.tsx";
import { Icon } from "../parts/icon.tsx";
import { moveFocus, WITH_ENDS } from "../parts/move-focus.ts";
import {
  type Section,
  arrangeSections,
  type OpenItem,
  type SidebarItem,
} from "../state/sidebar/sidebar-sections.ts";
import { ConversationRow, ROW } from "./sidebar-row.tsx";
import { DestinationRow, Destinations, BROWSE } from "./destinations.tsx";
import { SectionHead } from "./section-head.tsx";
import { ThreadRows, useThreadRows } from "./thread-rows.tsx";
import { t } from "../words/translate.ts";
import type { SidebarSettings } from "../../../src/wire/models.ts";
import type { Section as OwnSection } from "../../../src/wire/sections.ts";
import { weightOf } from "../state/model/unread.ts";

const RowMoves = quietRest("RowMoves");
const UnreadEdges = quietRest("UnreadEdges");

/**
 * The sidebar's links, and the rooms in their sections, with threads below them. Tab stops at the
 * rooms once; arrows move between rows.
 */
export function RoomList() {
  const nav = useRef<HTMLElement>(null);
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const [isHovered, setIsHovered] = useState(false);
  const openId = openConversation.value?.id ?? null;
  const sections = useStableOrder(
    [...sidebarItems.value, ...listDirectItems(openId)],
    sidebarSettings.value,
    openId,
    isHovered,
    ownSections.value,
  );
  const threadsOf = useThreadRows(isHovered);
  const visible = sections
    .flatMap((section) => section.items)
    .flatMap((item) => [item.id, ...threadsOf(item).map(({ id }) => id)]);
  useKeepInView(nav, openId, openId !== null && visible.includes(openId));
  useMovedFocus(nav);
  const tabStop =
    [focusedId, openId].find((id) => id !== null && visible.includes(id)) ?? visible[0];
  return (
    <div class="rooms-frame flex grow relative">
      <nav
        ref={nav}
        class="grow relative scroll"
        aria-label={t("sidebar.rooms")}
        onPointerEnter={() => setIsHovered(true)}
        onPointerLeave={() => setIsHovered(false)}
        onFocusIn={({ target }) => setFocusedId(idOf(target))}
        onKeyDown={(event) => moveAmongRows(event, event.currentTarget)}
      >
        <Destinations />
        {withFixed(sections).map((section) => (
          <section
            key={section.key}
            data-section={section.key}
            aria-label={section.key === "direct" ? t("direct.title") : undefined}
          >
            <SectionHead section={section} />
            <ul>
              {section.items.map((item) => (
                <ConversationRow
                  key={item.id}
                  item={item}
                  isOpen={item.id === openId}
                  isTabStop={item.id === tabStop}
                >
                  <ThreadRows rows={threadsOf(item)} tabStop={tabStop} />
                </ConversationRow>
              ))}
              {section.key === "rooms" && !section.isCollapsed && <DestinationRow of={BROWSE} />}
            </ul>
            {section.all.length === 0 && !section.isCollapsed && <EmptySection section={section} />}
          </section>
        ))}
        <RowMoves list={nav} sections={sections} />
      </nav>
      <UnreadEdges list={nav} />
    </div>
  );
}

/** Adds the sections that are shown even if they are empty, because their headings have actions. */
function withFixed(sections: Section[]): Section[] {
  const isAbove = ({ name }: Section) => name === "favourites" || name === "own";
  const find = (name: "direct" | "rooms"): Section => {
    const isCollapsed = sidebarSettings.value.collapsed.includes(name);
    const empty = { key: name, name, own: null, all: [], items: [], isCollapsed };
    return sections.find(({ key }) => key === name) ?? empty;
  };
  return [
    ...sections.filter(isAbove),
    find("direct"),
    find("rooms"),
    ...sections.filter(({ key }) => key === "archived"),
  ];
}

/** What an empty section offers. */
function EmptySection({ section: { name } }: { section: Section }) {
  if (name === "own") return <p class="muted small hint">{t("sidebar.empty-section")}</p>;
  const { conversations } = store.state.value;
  if (name !== "direct" || conversations === null) return null;
  return (
    <button
      type="button"
      class="room-link control rounded muted full"
      onClick={() => openDirectWith([])}
    >
      <Icon of={SquarePen} />
      {t("direct.notes-begin")}
    </button>
  );
}

/**
 * Scrolls to the open room when another one is opened, and once the rooms are loaded. Keeps the
 * current row in view when content above or below shrinks the list.
 */
function useKeepInView(nav: { current: HTMLElement | null }, openId: string | null, has: boolean) {
  const find = () => nav.current?.querySelector('[aria-current="page"]');
  useEffect(() => {
    const row = find();
    if (nav.current && row) scrollTo(nav.current, row);
  }, [openId, has]);
  useEffect(() => {
    const list = nav.current;
    if (!list) return;
    let height = list.clientHeight;
    const observer = new ResizeObserver(() => {
      const row = find();
      const end = row ? row.getBoundingClientRect().bottom - list.getBoundingClientRect().top : 0;
      // Not if the reader has scrolled away from it.
      if (end > 0 && end <= height) row?.scrollIntoView({ block: "nearest" });
      height = list.clientHeight;
    });
    observer.observe(list);
    return () => observer.disconnect();
  }, []);
}

/** Scrolls to a row if it is out of view, so that no other is cut below a heading. */
function scrollTo(list: HTMLElement, row: Element) {
  const before = list.scrollTop;
  row.scrollIntoView({ block: "nearest" });
  if (list.scrollTop === before) return;
  const padding = Number.parseFloat(getComputedStyle(list).scrollPaddingTop);
  const edge = list.getBoundingClientRect().top + padding;
  for (const other of list.querySelectorAll(".sidebar-row"))
    if (other.getBoundingClientRect().top >= edge) return other.scrollIntoView();
}

/** Returns the focus to a row whose element was replaced because it has moved to another section. */
function useMovedFocus(nav: { current: HTMLElement | null }) {
  const { activeElement } = document;
  useLayoutEffect(() => {
    if (!activeElement || activeElement.isConnected) return;
    const row = nav.current?.querySelector<HTMLElement>(`[data-id="${idOf(activeElement)}"] a`);
    row?.focus({ preventScroll: true });
  });
}

const idOf = (target: EventTarget | null) =>
  (target instanceof Element && target.closest<HTMLElement>("[data-id]")?.dataset.id) || null;

/** Arrows, Home and End move from room to room. */
function moveAmongRows(event: KeyboardEvent, nav: HTMLElement): void {
  const rows = [...nav.querySelectorAll<HTMLElement>(ROW)];
  if (rows.includes(document.activeElement as HTMLElement)) moveFocus(event, rows, WITH_ENDS);
}

/**
 * The sections of the sidebar. Their order does not change while the reader looks at it: an opened
 * room keeps the position that it had while unread, and a room that becomes unread does not move
 * the rows below the pointer.
 */
function useStableOrder(
  items: SidebarItem[],
  settings: SidebarSettings,
  openId: string | null,
  isHovered: boolean,
  ownSections: OwnSection[],
): Section[] {
  const openItem = useRef<OpenItem>(null);
  const before = useRef(new Map<string, number>());
  if (openId !== (openItem.current?.id ?? null)) {
    const item = items.find(({ id }) => id === openId);
    openItem.current = item ? { id: item.id, weight: weightOf(item) } : null;
  }
  const sections = arrangeSections(items, settings, openId, openItem.current, ownSections);
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
