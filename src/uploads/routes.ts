import { Type as t } from "@sinclair/typebox";
import type { Database } from "../database/connect.ts";
import type { Store } from "../platform/storage/open.ts";
import { type Media, route } from "../routing/route.ts";
import { File, Image, Sha256 } from "../wire/models.ts";
import { FileQuery, ImageQuery } from "../wire/queries.ts";
import type { Code } from "../wire/codes.ts";
import { readUploadLimit } from "./limit.ts";
import { uploadFile, uploadImage } from "./receive.ts";
import { withUploadSlot } from "./upload-slots.ts";
import { serveFile, serveImage } from "./serve.ts";

const FILE: Media = { media: "*/*", description: "The bytes, with the type that the sender gave" };

const UPLOAD_REFUSALS: Code[] = [
  "room_archived",
  "conversation_closed",
  "too_large",
  "too_many_uploads",
  "rate_limited",
];

export const uploadRoutes = (database: Database, store: Store) => {
  const { db } = database;
  const { storage } = store;
  return [
    route("GET /api/uploads/limit", {
      access: "signed-in",
      summary: "Get how large an upload may be",
      responses: { 200: t.Object({ max_bytes: t.Integer() }) },
      handler: async () => ({ max_bytes: await readUploadLimit(db) }),
    }),
    route("POST /api/rooms/:id/images", {
      access: "write:messages",
      room: "member",
      summary: "Upload an image for a message",
      body: "file",
      responses: { 201: Image },
      errors: [...UPLOAD_REFUSALS, "not_an_image", "image_too_big"],
      handler: (call) => withUploadSlot(call.actor.id, () => uploadImage(database, store, call)),
    }),
    route("POST /api/rooms/:id/files", {
      access: "write:messages",
      room: "member",
      summary: "Upload a file for a message",
      body: "file",
      responses: { 201: File },
      errors: UPLOAD_REFUSALS,
      handler: (call) => withUploadSlot(call.actor.id, () => uploadFile(database, store, call)),
    }),
    route("GET /api/rooms/:id/images/:sha256", {
      access: "read:messages",
      room: "member",
      summary: "Get an image, or its thumbnail",
      params: { sha256: Sha256 },
      query: ImageQuery,
      responses: { 200: { media: "image/*", description: "The image" }, 304: null },
      errors: ["not_found"],
      handler: ({ actor, params: { id: roomId, sha256 }, query, request }) => {
        const image = { roomId, sha256, isThumb: query.size === "thumb" };
        return serveImage(database, storage, { actorId: actor.id, ...image, request });
      },
    }),
    route("GET /api/rooms/:id/files/:file_id", {
      access: "read:messages",
      room: "member",
      summary: "Get a file, or a range of it",
      query: FileQuery,
      responses: { 200: FILE, 206: FILE, 304: null },
      errors: ["not_found", "range_not_satisfiable"],
      handler: ({ actor, params: { id: roomId, file_id: fileId }, query, request }) => {
        const isView = query.view === "true";
        return serveFile(database, storage, { actorId: actor.id, roomId, fileId, isView, request });
      },
    }),
  ];
};
