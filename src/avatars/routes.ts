import type { Database } from "../database/connect.ts";
import type { Store } from "../platform/storage/open.ts";
import { route } from "../routing/route.ts";
import { withUploadSlot } from "../uploads/upload-slots.ts";
import { Me } from "../wire/models.ts";
import { AvatarQuery } from "../wire/queries.ts";
import { putAvatar, removeAvatar, serveAvatar } from "./avatars.ts";

export const avatarRoutes = (database: Database, store: Store) => [
  route("PUT /api/auth/me/avatar", {
    access: "person",
    summary: "Set the caller's picture",
    body: "file",
    responses: { 200: Me },
    errors: ["too_large", "rate_limited", "not_an_image", "image_too_big"],
    handler: ({ actor, request }) =>
      withUploadSlot(actor.id, () => putAvatar(database, store, actor.id, request)),
  }),
  route("DELETE /api/auth/me/avatar", {
    access: "person",
    summary: "Remove the caller's picture",
    responses: { 200: Me },
    handler: ({ actor }) => removeAvatar(database, actor.id),
  }),
  route("GET /api/users/:id/avatar", {
    access: "signed-in",
    summary: "Get someone's picture",
    query: AvatarQuery,
    responses: { 200: { media: "image/webp", description: "The picture" }, 304: null },
    errors: ["not_found"],
    handler: ({ params, query, request }) =>
      serveAvatar(database.db, store.storage, request, params.id, query.size),
  }),
];
