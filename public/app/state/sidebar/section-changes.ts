import type { Section } from "../../../../src/wire/sections.ts";

/** A change to the sections. It must be idempotent. */
export type SectionChange = (sections: Section[]) => Section[];

export function applyChanges(sections: Section[], changes: SectionChange[]): Section[] {
  return changes.reduce((before, change) => change(before), sections);
}

const changeSection =
  (id: string, change: Partial<Section>): SectionChange =>
  (sections) =>
    sections.map((section) => (section.id === id ? { ...section, ...change } : section));

export const renameSection = (id: string, name: string) => changeSection(id, { name });

export const collapseSection = (id: string, is_collapsed: boolean) =>
  changeSection(id, { is_collapsed });

export const removeSection =
  (id: string): SectionChange =>
  (sections) =>
    sections.filter((section) => section.id !== id);

/**
 * Adds a section unless there is one with its id. Rooms that are in another section stay there.
 * @param index its position; the last one by default
 */
export const addSection =
  (section: Section, index?: number): SectionChange =>
  (sections) => {
    if (sections.some(({ id }) => id === section.id)) return sections;
    const listed = new Set(sections.flatMap(({ room_ids }) => room_ids));
    const room_ids = section.room_ids.filter((id) => !listed.has(id));
    return sections.toSpliced(index ?? sections.length, 0, { ...section, room_ids });
  };

/** Moves a section before another one, or to the end if `beforeId` is null. */
export const moveSection =
  (id: string, beforeId: string | null): SectionChange =>
  (sections) => {
    const section = sections.find((candidate) => candidate.id === id);
    if (!section || id === beforeId) return sections;
    const others = sections.filter((other) => other !== section);
    const index = others.findIndex((other) => other.id === beforeId);
    return others.toSpliced(index === -1 ? others.length : index, 0, section);
  };

/**
 * Moves a room or conversation into a section, or out of all of them.
 * @param sectionId null for none
 * @param beforeId the room that will follow it; null at the section's end
 */
export const placeInSection =
  (roomId: string, sectionId: string | null, beforeId: string | null = null): SectionChange =>
  (sections) => {
    if (roomId === beforeId) return sections;
    // Another device may have deleted the section: the room then stays where it is.
    if (sectionId !== null && !sections.some(({ id }) => id === sectionId)) return sections;
    return sections.map((section) => {
      const others = section.room_ids.filter((id) => id !== roomId);
      if (section.id !== sectionId) {
        return others.length === section.room_ids.length
          ? section
          : { ...section, room_ids: others };
      }
      const index = beforeId === null ? -1 : others.indexOf(beforeId);
      const room_ids = others.toSpliced(index === -1 ? others.length : index, 0, roomId);
      return { ...section, room_ids };
    });
  };
