import { useEffect, useState } from "preact/hooks";
import { arrangeSidebar } from "../session/arrange.ts";
import { pinConversation } from "../session/membership-actions.ts";
import {
  moveIntoSection,
  moveSectionBefore,
  moveSectionBy,
  removeFromSection,
} from "../session/own-sections.ts";
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
/** The sections as displayed, for the menus of the rooms. */
let shownSections: Section[] = [];
/** Announces a room's new position to screen readers. */
let announce: (text: string) => void = () => {};

/** Lets rooms, conversations and own sections be dragged, and moved with Ctrl or Cmd, Shift and the arrows. */
export function RowMoves({ list, sections }: RowMovesProps) {
  const [announcement, setAnnouncement] = useState("");
  shownSections = sections;
  announce = setAnnouncement;
  useEffect(() => {
    if (!list.current) return;
    const ends = [ROWS, SECTIONS].map((moves) => watchMoves(list.current as HTMLElement, moves));
    return () => {
      for (const end of ends) end();
    };
  }, []);
  return (
    <p class="visually-hidden" role="status">
      {announcement}
    </p>
  );
}

/** Moves a room or conversation by one position within its section. */
export function moveByOne(id: string, step: 1 | -1): void {
  const section = shownSections.find(({ all }) => all.some((item) => item.id === id));
  if (!section || section.key === "archived" || section.key === "direct") return;
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
  // A favourite stays in its section, and is shown there when it is no longer a favourite.
  if (to !== "favourites" && isInSection(id)) removeFromSection(id);
  const room = conversationById(store.state.value, id);
  if (room?.kind !== "room" || (to !== "favourites" && to !== "rooms")) return;
  const { pinned, settings } = moveItem(shownSections, sidebarSettings.value, id, to, beforeId);
  arrangeSidebar(settings);
  if (pinned !== undefined) pinConversation(room, pinned);
}

/** How a kind of row is moved. */
type Moves = {
  idOf(event: Event): string | undefined;
  targetAt(event: DragEvent, draggedId: string): Target | null;
  place(id: string, place: Place): void;
  moveByOne(id: string, step: 1 | -1): void;
};

const ROWS: Moves = {
  idOf: (event) => closest(event, "[data-id]")?.dataset.id,
  targetAt,
  place,
  moveByOne,
};

/** The reader's own sections, dragged by their headings. */
const SECTIONS: Moves = {
  idOf(event) {
    const key =
      closest(event, ".section-head") && closest(event, "[data-section]")?.dataset.section;
    return key && isOwn(key) ? key : undefined;
  },
  targetAt: sectionTargetAt,
  place: (id, { beforeId }) => moveSectionBefore(id, beforeId),
  moveByOne(id, step) {
    const head = document.activeElement;
    moveSectionBy(id, step);
    const at = ownSections.value.findIndex((section) => section.id === id);
    const name = ownSections.value[at]?.name ?? "";
    announce(t("sections.placed", { name, place: at + 1, count: ownSections.value.length }));
    // An element that is moved in the DOM loses the focus.
    requestAnimationFrame(() => head instanceof HTMLElement && head.focus());
  },
};

/** @returns a function that stops watching */
function watchMoves(list: HTMLElement, moves: Moves): () => void {
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
      const id = moves.idOf(event);
      if (!id || !event.dataTransfer) return;
      event.dataTransfer.setData(TYPE, id);
      event.dataTransfer.effectAllowed = "move";
      dragged = id;
    },
    dragover(event) {
      const target = dragged === null ? null : moves.targetAt(event, dragged);
      mark(target?.element ?? null, target?.edge);
      if (target) event.preventDefault();
    },
    drop(event) {
      const target = dragged === null ? null : moves.targetAt(event, dragged);
      const id = dragged;
      end();
      if (!target || id === null) return;
      event.preventDefault();
      if (target.beforeId !== id) moves.place(id, target);
    },
    dragend: end,
    keydown(event) {
      const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : null;
      const id = moves.idOf(event);
      if (!step || !id || !event.shiftKey || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      moves.moveByOne(id, step);
    },
  };
  const all = Object.entries(on) as [string, (event: Event) => void][];
  for (const [type, listener] of all) list.addEventListener(type, listener);
  return () => {
    for (const [type, listener] of all) list.removeEventListener(type, listener);
  };
}

type Target = Place & { element: HTMLElement; edge: string };

/** Where a dragged room would be dropped: before or after a row, or at the end of a section. */
function targetAt(event: DragEvent, draggedId: string): Target | null {
  const element = closest(event, "[data-section]");
  const to = element?.dataset.section;
  if (!element || !to || !mayMove(draggedId, to)) return null;
  // The threads of a room are a part of its row.
  const row = closest(event, "[data-id][draggable=true]");
  const id = row?.dataset.id;
  // Conversations outside of sections cannot be reordered.
  if (!row || !id || to === "direct") return { to, beforeId: null, element, edge: "after" };
  const { top, height } = row.getBoundingClientRect();
  const isBefore = event.clientY < top + height / 2;
  const own = shownSections.find(({ key }) => key === to)?.all ?? [];
  const next = own[own.findIndex((item) => item.id === id) + 1];
  const beforeId = isBefore ? id : (next?.id ?? null);
  return { to, beforeId, element: row, edge: isBefore ? "before" : "after" };
}

/**
 * Where a dragged section would be dropped: before or after another of the reader's own sections.
 */
function sectionTargetAt(event: DragEvent): Target | null {
  const element = closest(event, "[data-section]");
  const key = element?.dataset.section;
  if (!element || !key || !isOwn(key)) return null;
  const { top, height } = element.getBoundingClientRect();
  const isBefore = event.clientY < top + height / 2;
  const at = ownSections.value.findIndex(({ id }) => id === key);
  const beforeId = isBefore ? key : (ownSections.value[at + 1]?.id ?? null);
  return { to: key, beforeId, element, edge: isBefore ? "before" : "after" };
}

const closest = ({ target }: Event, selector: string) =>
  target instanceof Element ? target.closest<HTMLElement>(selector) : null;
