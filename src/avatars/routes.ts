import { Elysia, t } from "elysia";
import { guard } from "../accounts/guard.ts";
import type { Identifier } from "../accounts/identify.ts";
import type { Database } from "../database/connect.ts";
import type { Store } from "../platform/storage/open.ts";
import { Id } from "../wire/models.ts";
import { AvatarQuery } from "../wire/queries.ts";
import { putAvatar, removeAvatar, serveAvatar } from "./avatars.ts";

/** One's own picture, and everyone's. */
export function avatarRoutes(database: Database, identifier: Identifier, store: Store) {
  return new Elysia({ name: "avatars" })
    .use(guard(identifier))
    .put(
      "/api/auth/me/avatar",
      ({ actor, request }) => putAvatar(database, store, actor.id, request),
      // The body is a stream that the handler reads.
      { parse: "none" },
    )
    .delete("/api/auth/me/avatar", ({ actor }) => removeAvatar(database, actor.id))
    .get(
      "/api/users/:id/avatar",
      ({ params, query, request }) =>
        serveAvatar(database.sql, store.storage, request, params.id, query.size),
      { params: t.Object({ id: Id }), query: AvatarQuery },
    );
}
