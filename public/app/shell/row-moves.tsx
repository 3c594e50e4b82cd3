import { useEffect, useState } from "preact/hooks";
import { arrangeSidebar, pinRoom } from "../session/arrange.ts";
import { moveIntoSection, removeFromSection } from "../session/own-sections.ts";
import { isInSection, ownSections, sidebarSettings } from "../session/sidebar-items.ts";
import { store } from "../session/store.ts";
import { conversationById } from "../state/model/model.ts";
import type { Section } from "../state/sidebar/sidebar-sections.ts";
import { moveItem } from "../state/sidebar/sidebar-moves.ts";
import { t } from "../words/translate.ts";

type Place = {
  /** The key of a section, or `direct`. */
  to: string;
  beforeId: string | null;
};
type RowMovesProps = { list: { current: HTMLElement | null }; sections: Section[] };

const TYPE = "application/x-snug-room";
/** The sections as they are shown, for the menus of the rooms. */
let shownSections: Section[] = [];
/** Announces to screen readers where a room is now. */
let announce: (text: string) => void = () => {};

/** Lets rooms and conversations be dragged, and moved with Ctrl or Cmd, Shift and the arrows. */
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

/** Moves a room or conversation by one place within its section. */
export function moveByOne(id: string, step: 1 | -1): void {
  const section = shownSections.find(({ all }) => all.some((item) => item.id === id));
  if (!section || section.key === "archived") return;
  const at = section.all.findIndex((item) => item.id === id);
  const item = section.all[at];
  const to = at + step;
  if (!item || to < 0 || to >= section.all.length) return;
  const next = section.all[step === 1 ? at + 2 : to];
  place(id, { to: section.key, beforeId: next?.id ?? null });
  const values = { place: to + 1, count: section.all.length };
  announce(
    item.section === "direct"
      ? t("sections.placed", { name: item.label, ...values })
      : t("room-list.moved", { room: item.label, ...values }),
  );
}

const isOwn = (key: string) => ownSections.value.some(({ id }) => id === key);

/** Whether a room or conversation can be moved into a section. */
function mayMove(id: string, to: string): boolean {
  const room = conversationById(store.state.value, id);
  if (!room) return false;
  if (room.kind === "direct") return isOwn(to) || (to === "direct" && isInSection(id));
  return !room.is_archived && (isOwn(to) || to === "favourites" || to === "rooms");
}

function place(id: string, { to, beforeId }: Place): void {
  if (!mayMove(id, to)) return;
  if (isOwn(to)) {
    moveIntoSection(id, to, beforeId);
    return;
  }
  // A favourite stays in its section, and is shown there again when it is no favourite any more.
  if (to !== "favourites" && isInSection(id)) removeFromSection(id);
  const room = conversationById(store.state.value, id);
  if (room?.kind !== "room" || (to !== "favourites" && to !== "rooms")) return;
  const { pinned, settings } = moveItem(shownSections, sidebarSettings.value, id, to, beforeId);
  arrangeSidebar(settings);
  if (pinned !== undefined) void pinRoom(room, pinned);
}

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
      if (!id || !event.dataTransfer) return;
      event.dataTransfer.setData(TYPE, id);
      event.dataTransfer.effectAllowed = "move";
      dragged = id;
    },
    dragover(event) {
      const target = dragged === null ? null : targetAt(event, dragged);
      mark(target?.element ?? null, target?.edge);
      if (target) event.preventDefault();
    },
    drop(event) {
      const target = dragged === null ? null : targetAt(event, dragged);
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

type Target = Place & { element: HTMLElement; edge: string };

/** Where a dragged room would land: at an edge of a row, or at the end of a section. */
function targetAt(event: DragEvent, draggedId: string): Target | null {
  const element = closest(event, "[data-section]");
  const to = element?.dataset.section;
  if (!element || !to || !mayMove(draggedId, to)) return null;
  const row = closest(event, "[data-id]");
  const id = row?.dataset.id;
  // Conversations that are in no section have no order of their own.
  if (!row || !id || to === "direct") return { to, beforeId: null, element, edge: "after" };
  const { top, height } = row.getBoundingClientRect();
  const isBefore = event.clientY < top + height / 2;
  const own = shownSections.find(({ key }) => key === to)?.all ?? [];
  const next = own[own.findIndex((item) => item.id === id) + 1];
  const beforeId = isBefore ? id : (next?.id ?? null);
  return { to, beforeId, element: row, edge: isBefore ? "before" : "after" };
}

const closest = ({ target }: Event, selector: string) =>
  target instanceof Element ? target.closest<HTMLElement>(selector) : null;
