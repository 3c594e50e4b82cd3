import type { Database } from "../database/connect.ts";
import { route } from "../routing/route.ts";
import { SaveSections, Sections } from "../wire/sections.ts";
import { readSections, saveSections } from "./sections.ts";

/** A user's sections of the sidebar, synchronized across their devices. */
export const sectionRoutes = ({ db }: Database) => [
  route("GET /api/auth/me/sections", {
    access: "person",
    summary: "Get the sections of the caller's sidebar",
    responses: { 200: Sections },
    handler: ({ actor }) => readSections(db, actor.id),
  }),
  route("PUT /api/auth/me/sections", {
    access: "person",
    summary: "Replace the sections of the caller's sidebar",
    description:
      "`base_version` is the version that they follow. After a change of another device it is refused with `sections_changed`, and the problem's `current` has the sections as they are. Rooms and conversations that the caller is not in are left out; of a repeated one, the first stays.",
    body: SaveSections,
    responses: { 200: Sections },
    errors: ["sections_changed"],
    handler: ({ actor, body }) => saveSections(db, actor.id, body),
  }),
];
