import type { Drizzle } from "../database/connect.ts";
import { route } from "../routing/route.ts";
import { CustomTheme, Me, Page } from "../wire/models.ts";
import { PageQuery } from "../wire/queries.ts";
import { CreateTheme, UpdateTheme } from "../wire/requests.ts";
import { activateTheme, createTheme, deleteTheme, listThemes, updateTheme } from "./themes.ts";

export const themeRoutes = (db: Drizzle) => [
  route("GET /api/custom-themes", {
    access: "person",
    summary: "List the caller's saved themes",
    query: PageQuery,
    responses: { 200: Page(CustomTheme) },
    handler: ({ actor, query }) => listThemes(db, actor.id, query),
  }),
  route("POST /api/custom-themes", {
    access: "person",
    summary: "Save a theme",
    body: CreateTheme,
    responses: { 201: CustomTheme },
    errors: ["too_many_themes"],
    handler: ({ actor, body }) => createTheme(db, actor.id, body),
  }),
  route("PATCH /api/custom-themes/:id", {
    access: "person",
    summary: "Rename or recolour a theme",
    body: UpdateTheme,
    responses: { 200: CustomTheme },
    errors: ["not_found"],
    handler: ({ actor, params, body }) => updateTheme(db, actor.id, params.id, body),
  }),
  route("DELETE /api/custom-themes/:id", {
    access: "person",
    summary: "Delete a theme; an account that uses it returns to a preset",
    responses: { 204: null },
    errors: ["not_found"],
    handler: ({ actor, params }) => deleteTheme(db, actor.id, params.id),
  }),
  route("POST /api/custom-themes/:id/activate", {
    access: "person",
    summary: "Use a theme",
    responses: { 200: Me },
    errors: ["not_found"],
    handler: ({ actor, params }) => activateTheme(db, actor.id, params.id),
  }),
];
