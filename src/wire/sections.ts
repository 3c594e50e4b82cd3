import { type Static, Type as t } from "@sinclair/typebox";
import { MAX_SECTION_NAME_LENGTH, MAX_SECTION_ROOMS, MAX_SECTIONS } from "./limits.ts";
import { Id, Version } from "./models.ts";

/** A section of a sidebar, with rooms and conversations in the order in which they are shown. */
export const Section = t.Object({
  id: { ...Id, description: "A UUID that the client chooses" },
  name: t.String({
    description: `One line of 1 to ${MAX_SECTION_NAME_LENGTH} characters`,
    expected: `a name of 1 to ${MAX_SECTION_NAME_LENGTH} characters`,
  }),
  is_collapsed: t.Boolean(),
  room_ids: t.Array(Id, {
    maxItems: MAX_SECTION_ROOMS,
    description: "Ids of rooms and conversations; the caller's own ones are stored",
  }),
});

export const Sections = t.Object({
  version: { ...Version, description: "Counts changes; 0 before the first one" },
  sections: t.Array(Section),
});

export const SaveSections = t.Object({
  base_version: t.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: "The version on which these are based",
  }),
  sections: t.Array(Section, { maxItems: MAX_SECTIONS, description: "All sections" }),
});

export type Section = Static<typeof Section>;
export type Sections = Static<typeof Sections>;
export type SaveSections = Static<typeof SaveSections>;
