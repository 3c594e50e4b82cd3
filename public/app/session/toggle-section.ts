import { getRest, requestRest } from "../parts/load-rest.tsx";
import type { Section } from "../../../src/wire/sections.ts";

/** A section of the sidebar, as its heading shows it. */
export type ShownSection = {
  /** The name of a built-in section, or the id of one of the reader's own. */
  key: string;
  own: Section | null;
  isCollapsed: boolean;
};

/** Expands or collapses a section of the sidebar, once the code that saves this is loaded. */
export async function toggleSection(section: ShownSection): Promise<void> {
  await requestRest();
  getRest()?.saveToggledSection(section);
}
