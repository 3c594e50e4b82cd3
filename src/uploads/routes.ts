import { Elysia, t } from "elysia";
import { guard, needs } from "../accounts/guard.ts";
import type { Identifier } from "../accounts/identify.ts";
import type { Database } from "../database/connect.ts";
import type { Store } from "../platform/storage/open.ts";
import { Id, Sha256 } from "../wire/models.ts";
import { ImageQuery } from "../wire/queries.ts";
import { readUploadLimit } from "./limit.ts";
import { uploadFile, uploadImage } from "./receive.ts";
import { serveFile, serveImage } from "./serve.ts";

/** The body is a stream that the handler reads. */
const upload = {
  params: t.Object({ id: Id }),
  parse: "none" as const,
  ...needs("write:messages"),
};

/** Images and files of messages, and how large they may be. */
export function uploadRoutes(database: Database, identifier: Identifier, store: Store) {
  const { sql } = database;
  const { storage } = store;
  return new Elysia({ name: "uploads" })
    .use(guard(identifier))
    .get("/api/uploads/limit", async () => ({ max_bytes: await readUploadLimit(sql) }))
    .post(
      "/api/rooms/:id/images",
      async ({ actor, params, request, set }) => {
        const given = { actorId: actor.id, roomId: params.id, request };
        const image = await uploadImage(database, store, given);
        set.status = 201;
        return image;
      },
      upload,
    )
    .post(
      "/api/rooms/:id/files",
      async ({ actor, params, request, set }) => {
        const given = { actorId: actor.id, roomId: params.id, request };
        const file = await uploadFile(database, store, given);
        set.status = 201;
        return file;
      },
      upload,
    )
    .get(
      "/api/rooms/:id/images/:sha256",
      ({ actor, params: { id: roomId, sha256 }, query, request }) => {
        const isThumb = query.size === "thumb";
        return serveImage(sql, storage, { actorId: actor.id, roomId, sha256, isThumb, request });
      },
      {
        params: t.Object({ id: Id, sha256: Sha256 }),
        query: ImageQuery,
        ...needs("read:messages"),
      },
    )
    .get(
      "/api/rooms/:id/files/:file_id",
      ({ actor, params: { id: roomId, file_id: fileId }, request }) =>
        serveFile(sql, storage, { actorId: actor.id, roomId, fileId, request }),
      { params: t.Object({ id: Id, file_id: Id }), ...needs("read:messages") },
    );
}
