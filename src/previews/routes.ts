import { eq } from "drizzle-orm";
import type { Drizzle } from "../database/connect.ts";
import { blobs, linkPreviews } from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Storage } from "../platform/storage/storage.ts";
import { route } from "../routing/route.ts";
import { PRIVATE, serveBlob } from "../uploads/serve.ts";
import { Sha256 } from "../wire/models.ts";

/** Images of link previews, for all signed-in users, since they are public on the web. */
export const previewRoutes = (db: Drizzle, storage: Storage) => [
  route("GET /api/previews/:sha256", {
    access: "signed-in",
    summary: "Get the picture of a link preview",
    params: { sha256: Sha256 },
    responses: { 200: { media: "image/webp", description: "The picture" }, 304: null },
    errors: ["not_found"],
    handler: ({ params, request }) => servePicture(db, storage, params.sha256, request),
  }),
];

/** Serves only images that a preview uses, because uploads are in the same storage. */
async function servePicture(db: Drizzle, storage: Storage, sha256: string, request: Request) {
  const [picture] = await db
    .select({ sha256: blobs.sha256, sizeBytes: blobs.sizeBytes })
    .from(linkPreviews)
    .innerJoin(blobs, eq(blobs.sha256, linkPreviews.imageSha256))
    .where(eq(linkPreviews.imageSha256, Buffer.from(sha256, "hex")))
    .limit(1);
  if (!picture) throw new Refusal("not_found", "There is no such picture.");
  return serveBlob(request, storage, picture, { mime: "image/webp", cacheControl: PRIVATE });
}
