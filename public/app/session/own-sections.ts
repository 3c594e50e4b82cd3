import type { Section } from "../../../src/wire/sections.ts";
import {
  addSection,
  collapseSection,
  moveSection,
  placeInSection,
  removeSection,
  renameSection,
  type SectionChange,
} from "../state/sidebar/section-changes.ts";
import { SectionSaver } from "../state/sidebar/section-saver.ts";
import { conversationById } from "../state/model/model.ts";
import { toggleBuiltIn } from "./arrange.ts";
import { pinConversation } from "./membership-actions.ts";
import { ownSections, type ShownSection } from "./sidebar-items.ts";
import { store } from "./store.ts";
import { reportOutcome, showError } from "./toasts.ts";
import { t } from "../words/translate.ts";

const saver = store.attach((deps) => new SectionSaver(deps));

function change(sections: SectionChange): void {
  saver.change(sections).catch(showError);
}

/**
 * Creates a section, optionally with a room or conversation.
 * @throws ApiError
 */
export function createSection(name: string, roomId?: string): Promise<void> {
  const section: Section = { id: crypto.randomUUID(), name, is_collapsed: false, room_ids: [] };
  const add = addSection(section);
  if (roomId === undefined) return saver.change(add);
  endFavourite(roomId);
  const place = placeInSection(roomId, section.id);
  return saver.change((sections) => place(add(sections)));
}

export const saveSectionName = (id: string, name: string) => saver.change(renameSection(id, name));

export function saveToggledSection({ key, own, isCollapsed }: ShownSection): void {
  if (own) change(collapseSection(own.id, !isCollapsed));
  else toggleBuiltIn(key);
}

export function moveSectionBy(id: string, step: 1 | -1): void {
  const index = ownSections.value.findIndex((section) => section.id === id);
  const to = index + step;
  if (to < 0 || to >= ownSections.value.length) return;
  const next = ownSections.value[step === 1 ? index + 2 : to];
  change(moveSection(id, next?.id ?? null));
}

/** @param beforeId null moves it to the end */
export const moveSectionBefore = (id: string, beforeId: string | null) =>
  change(moveSection(id, beforeId));

/** Deletes a section but not its rooms. A toast offers Undo. */
export function deleteSection(section: Section): void {
  const index = ownSections.value.findIndex(({ id }) => id === section.id);
  reportOutcome(
    saver.change(removeSection(section.id)),
    () => t("sections.deleted", { name: section.name }),
    () => change(addSection(section, index)),
  );
}

/** Moves a room or conversation into a section, before another one or to its end. */
export function moveIntoSection(roomId: string, sectionId: string, beforeId: string | null): void {
  endFavourite(roomId);
  change(placeInSection(roomId, sectionId, beforeId));
}

export const removeFromSection = (roomId: string) => change(placeInSection(roomId, null));

/**
 * Moves a room or conversation to the end of a section.
 * @param sectionId null to remove it from its section
 * @throws ApiError
 */
export function saveSectionOf(roomId: string, sectionId: string | null): Promise<void> {
  if (sectionId !== null) endFavourite(roomId);
  return saver.change(placeInSection(roomId, sectionId));
}

/**
 * Removes the room from the favourites, because a favourite is shown among them even if it is in a
 * section.
 */
function endFavourite(roomId: string): void {
  const room = conversationById(store.state.value, roomId);
  if (room?.kind === "room" && room.membership?.pinned_at) pinConversation(room, false);
}
