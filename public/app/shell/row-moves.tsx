import { useEffect, useState } from "preact/hooks";
import { arrangeSidebar, pinRoom } from "../session/arrange.ts";
import { sidebarSettings } from "../session/sidebar-items.ts";
import type { Section, SectionName, SidebarItem } from "../state/sidebar/sidebar-sections.ts";
import { moveItem } from "../state/sidebar/sidebar-moves.ts";
import { t } from "../words/translate.ts";

type Place = { to: "favourites" | "rooms"; beforeId: string | null };
type RowMovesProps = { list: { current: HTMLElement | null }; sections: Section[] };

const TYPE = "application/x-snug-room";
/** The sections as they are shown, for the menus of the rooms. */
let shownSections: Section[] = [];
/** Announces to screen readers where a room is now. */
let announce: (text: string) => void = () => {};

/** Lets rooms be dragged, and moved with Ctrl or Cmd, Shift and the arrows. */
export function RowMoves({ list, sections }: RowMovesProps) {
  const [announcement, setAnnouncement] = useState("");
  shownSections = sections;
  announce = setAnnouncement;
  useEffect(() => (list.current ? watchMoves(list.current) : undefined), []);
  return (
    <p class="visually-hidden" role="status">
      {announcement}
    </p>
  );
}

/** Moves a room by one place within its section. */
export function moveByOne(id: string, step: 1 | -1): void {
  const section = shownSections.find(({ all }) => all.some((item) => item.id === id));
  if (!section || section.name === "archived") return;
  const at = section.all.findIndex((item) => item.id === id);
  const to = at + step;
  if (to < 0 || to >= section.all.length) return;
  const next = section.all[step === 1 ? at + 2 : to];
  place(id, { to: section.name, beforeId: next?.id ?? null });
  const room = section.all[at]?.label ?? "";
  announce(t("room-list.moved", { room, place: to + 1, count: section.all.length }));
}

function place(id: string, { to, beforeId }: Place): void {
  const { pinned, settings } = moveItem(shownSections, sidebarSettings.value, id, to, beforeId);
  arrangeSidebar(settings);
  const item = itemOf(id);
  if (item && pinned !== undefined) void pinRoom(item.room, pinned);
}

const itemOf = (id: string): SidebarItem | undefined =>
  shownSections.flatMap(({ all }) => all).find((item) => item.id === id);

/** @returns a function that ends the drag */
function watchMoves(list: HTMLElement): () => void {
  let dragged: string | null = null;
  let marked: HTMLElement | null = null;
  const mark = (element: HTMLElement | null, edge = "") => {
    if (marked && marked !== element) delete marked.dataset.drop;
    marked = element;
    if (element) element.dataset.drop = edge;
  };
  const end = () => {
    dragged = null;
    mark(null);
  };
  const on: { [Type in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Type]) => void } = {
    dragstart(event) {
      const id = closest(event, "[data-id]")?.dataset.id;
      if (!id || !event.dataTransfer || itemOf(id)?.section === "archived") return;
      event.dataTransfer.setData(TYPE, id);
      event.dataTransfer.effectAllowed = "move";
      dragged = id;
    },
    dragover(event) {
      const target = dragged === null ? null : targetAt(event);
      mark(target?.element ?? null, target?.edge);
      if (target) event.preventDefault();
    },
    drop(event) {
      const target = dragged === null ? null : targetAt(event);
      const id = dragged;
      end();
      if (!target || id === null) return;
      event.preventDefault();
      if (target.beforeId !== id) place(id, target);
    },
    dragend: end,
    keydown(event) {
      const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : null;
      const id = closest(event, "[data-id]")?.dataset.id;
      if (!step || !id || !event.shiftKey || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      moveByOne(id, step);
    },
  };
  const all = Object.entries(on) as [string, (event: Event) => void][];
  for (const [type, listener] of all) list.addEventListener(type, listener);
  return () => {
    for (const [type, listener] of all) list.removeEventListener(type, listener);
  };
}

/** Where a dragged room would land: at an edge of a row, or at the end of a section. */
function targetAt(event: DragEvent): (Place & { element: HTMLElement; edge: string }) | null {
  const element = closest(event, "[data-section]");
  const to = element?.dataset.section as SectionName | undefined;
  if (!element || !to || to === "archived") return null;
  const row = closest(event, "[data-id]");
  const id = row?.dataset.id;
  if (!row || !id) return { to, beforeId: null, element, edge: "after" };
  const { top, height } = row.getBoundingClientRect();
  const isBefore = event.clientY < top + height / 2;
  const own = shownSections.find(({ name }) => name === to)?.all ?? [];
  const next = own[own.findIndex((item) => item.id === id) + 1];
  const beforeId = isBefore ? id : (next?.id ?? null);
  return { to, beforeId, element: row, edge: isBefore ? "before" : "after" };
}

const closest = ({ target }: Event, selector: string) =>
  target instanceof Element ? target.closest<HTMLElement>(selector) : null;
