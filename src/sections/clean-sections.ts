import { cleanName } from "../platform/input/names.ts";
import { makeInvalid, Refusal } from "../platform/refusal.ts";
import { MAX_SECTION_NAME_LENGTH } from "../wire/limits.ts";
import type { Section, Sections } from "../wire/sections.ts";

/**
 * Validates sections. A room that is listed more than once stays where it is listed first.
 * @throws Refusal `validation`
 */
export function cleanSections(sections: Section[]): Section[] {
  const sectionIds = new Set<string>();
  const roomIds = new Set<string>();
  const addNew = (ids: Set<string>, id: string) => !ids.has(id) && Boolean(ids.add(id));
  return sections.map((section, i) => {
    const id = section.id.toLowerCase();
    if (!addNew(sectionIds, id)) {
      throw makeInvalid(`/sections/${i}/id`, "Another section has the same id.");
    }
    const name = cleanName(section.name, `/sections/${i}/name`, MAX_SECTION_NAME_LENGTH);
    const listedIds = section.room_ids.map((roomId) => roomId.toLowerCase());
    return {
      id,
      name,
      is_collapsed: section.is_collapsed,
      room_ids: listedIds.filter((roomId) => addNew(roomIds, roomId)),
    };
  });
}

/** @throws Refusal `sections_changed` with the current sections */
export function checkBaseVersion(current: Sections, baseVersion: number): void {
  if (current.version === baseVersion) return;
  const detail = "The sections have been changed meanwhile. Apply your change to the current ones.";
  throw new Refusal("sections_changed", detail, { current });
}
