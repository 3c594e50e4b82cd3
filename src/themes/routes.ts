import { Elysia, t } from "elysia";
import { guard } from "../accounts/guard.ts";
import type { Identifier } from "../accounts/identify.ts";
import type { Drizzle } from "../database/connect.ts";
import { Id } from "../wire/models.ts";
import { CreateTheme, UpdateTheme } from "../wire/requests.ts";
import { activateTheme, createTheme, deleteTheme, listThemes, updateTheme } from "./themes.ts";

const params = t.Object({ id: Id });

/** One's own saved themes. */
export function themeRoutes(db: Drizzle, identifier: Identifier) {
  return new Elysia({ name: "themes" })
    .use(guard(identifier))
    .get("/api/custom-themes", async ({ actor }) => ({
      items: await listThemes(db, actor.id),
      next: null,
    }))
    .post(
      "/api/custom-themes",
      async ({ actor, body, set }) => {
        set.status = 201;
        return createTheme(db, actor.id, body);
      },
      { body: CreateTheme },
    )
    .patch(
      "/api/custom-themes/:id",
      ({ actor, params, body }) => updateTheme(db, actor.id, params.id, body),
      { params, body: UpdateTheme },
    )
    .delete(
      "/api/custom-themes/:id",
      async ({ actor, params, set }) => {
        await deleteTheme(db, actor.id, params.id);
        set.status = 204;
      },
      { params },
    )
    .post(
      "/api/custom-themes/:id/activate",
      ({ actor, params }) => activateTheme(db, actor.id, params.id),
      { params },
    );
}
