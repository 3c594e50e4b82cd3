import { Fragment } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { background } from "../session/navigation.ts";
import {
  directItems,
  ownSections,
  sidebarItems,
  sidebarSettings,
} from "../session/sidebar-items.ts";
import { store } from "../session/store.ts";
import { quietRest } from "../parts/load-rest.tsx";
import { DirectRow } from "../conversations/direct-row.tsx";
import { DirectSection } from "../conversations/direct-section.tsx";
import { moveFocus, WITH_ENDS } from "../parts/move-focus.ts";
import { roomByName } from "../state/model/model.ts";
import type { DirectRoom } from "../state/model/conversation.ts";
import type { Section, SidebarItem } from "../state/sidebar/sidebar-sections.ts";
import { RoomFilter } from "./room-filter.tsx";
import { RoomRow } from "./room-row.tsx";
import { ROW } from "./rows.ts";
import { SectionHead } from "./section-head.tsx";
import { useHeldOrder } from "./use-held-order.ts";
import { t } from "../words/translate.ts";

const RowMoves = quietRest("RowMoves");
const UnreadEdges = quietRest("UnreadEdges");

/** With fewer rooms, all of them are visible at once. */
const MIN_TO_FILTER = 12;

/** The rooms in their sections. Tab reaches the list once; arrows go from room to room. */
export function RoomList() {
  const nav = useRef<HTMLElement>(null);
  const [matches, setMatches] = useState<SidebarItem[] | null>(null);
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const [isHovered, setIsHovered] = useState(false);
  const items = sidebarItems.value;
  const openId = useOpenRoom();
  const sections = useHeldOrder(
    [...items, ...directItems.value],
    sidebarSettings.value,
    openId,
    isHovered,
    ownSections.value,
  );
  useKeepInView(nav, openId, items.length > 0);
  const visible = matches ?? sections.flatMap((section) => section.items);
  const isShown = (id: string | null) => visible.some((item) => item.id === id);
  const tabStop = [focusedId, openId].find(isShown) ?? visible[0]?.id;
  const rowOf = (item: SidebarItem) => {
    const row = { isOpen: item.id === openId, isTabStop: item.id === tabStop };
    const isMovable = matches === null && item.section !== "archived";
    return item.section === "direct" ? (
      <DirectRow key={item.id} room={item.room as DirectRoom} isMovable {...row} />
    ) : (
      <RoomRow key={item.id} item={item} isMovable={isMovable} {...row} />
    );
  };
  return (
    <>
      {items.length >= MIN_TO_FILTER && <RoomFilter onChange={setMatches} />}
      <div class="rooms-frame">
        <nav
          ref={nav}
          aria-label={t("shell.rooms")}
          onPointerEnter={() => setIsHovered(true)}
          onPointerLeave={() => setIsHovered(false)}
          onFocusIn={({ target }) => setFocusedId(idOf(target))}
          onKeyDown={(event) => moveAmongRows(event, event.currentTarget)}
        >
          {matches ? (
            <ul>{matches.map(rowOf)}</ul>
          ) : (
            withRooms(sections).map((section) => (
              <Fragment key={section.key}>
                {/* Above the rooms, which may be many. */}
                {section.key === "rooms" && <DirectSection />}
                <section data-section={section.key}>
                  <SectionHead section={section} />
                  <ul>{section.items.map(rowOf)}</ul>
                  {section.own && section.all.length === 0 && !section.isCollapsed && (
                    <p class="muted small hint">{t("sidebar.empty-section")}</p>
                  )}
                </section>
              </Fragment>
            ))
          )}
          <RowMoves list={nav} sections={sections} />
        </nav>
        <UnreadEdges list={nav} />
      </div>
    </>
  );
}

const NO_ROOMS: Section = {
  key: "rooms",
  name: "rooms",
  own: null,
  all: [],
  items: [],
  isCollapsed: false,
};

/** The section of the rooms is shown without any, too: it has the button that creates one. */
function withRooms(sections: Section[]): Section[] {
  if (sections.some(({ key }) => key === "rooms")) return sections;
  const archived = sections.findIndex(({ key }) => key === "archived");
  return sections.toSpliced(archived === -1 ? sections.length : archived, 0, NO_ROOMS);
}

/** The id of the room or conversation that is open. */
function useOpenRoom(): string | null {
  const here = background.value.route;
  if (here.name === "direct") return here.id ?? null;
  return (here.name === "room" && roomByName(store.state.value, here.room)?.id) || null;
}

/**
 * Scrolls to the open room when another one is opened, and once the rooms are loaded. The current row
 * stays in view when what appears above or below the list leaves it less room.
 */
function useKeepInView(nav: { current: HTMLElement | null }, openId: string | null, has: boolean) {
  const find = () => nav.current?.querySelector('[aria-current="page"]');
  useEffect(() => {
    find()?.scrollIntoView({ block: "nearest" });
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

const idOf = (target: EventTarget | null) =>
  (target instanceof Element && target.closest<HTMLElement>("[data-id]")?.dataset.id) || null;

/** Arrows, Home and End go from room to room. */
function moveAmongRows(event: KeyboardEvent, nav: HTMLElement): void {
  const rows = [...nav.querySelectorAll<HTMLElement>(ROW)];
  if (rows.includes(document.activeElement as HTMLElement)) moveFocus(event, rows, WITH_ENDS);
}
