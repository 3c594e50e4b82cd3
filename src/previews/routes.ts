import { eq } from "drizzle-orm";
import type { Drizzle } from "../database/connect.ts";
import { type Params, prepareQuery } from "../database/prepared.ts";
import { blobs, linkPreviews } from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Storage } from "../platform/storage/storage.ts";
import { route } from "../routing/route.ts";
import { serveBlob } from "../uploads/serve.ts";
import { Sha256 } from "../wire/models.ts";

/** The pictures of link previews, for everyone who is signed in: they are public on the web. */
export const previewRoutes = (db: Drizzle, storage: Storage) => [
  route("GET /api/previews/:sha256", {
    access: "signed-in",
    summary: "Get the picture of a link preview",
    params: { sha256: Sha256 },
    answers: { 200: { media: "image/webp", description: "The picture" }, 304: null },
    errors: ["not_found"],
    run: ({ params, request }) => servePicture(db, storage, params.sha256, request),
  }),
];

const findPicture = prepareQuery("preview_picture", (db, params: Params<{ sha256: Buffer }>) =>
  db
    .select({ sha256: blobs.sha256, sizeBytes: blobs.sizeBytes })
    .from(linkPreviews)
    .innerJoin(blobs, eq(blobs.sha256, linkPreviews.imageSha256))
    .where(eq(linkPreviews.imageSha256, params.sha256))
    .limit(1),
);

/** Serves only pictures that a preview shows: uploads of rooms are in the same storage. */
async function servePicture(db: Drizzle, storage: Storage, sha256: string, request: Request) {
  const [found] = await findPicture(db, { sha256: Buffer.from(sha256, "hex") });
  if (!found) throw new Refusal("not_found", "There is no such picture.");
  return serveBlob(request, storage, found, {
    mime: "image/webp",
    disposition: "inline",
    cacheControl: "private, max-age=31536000, immutable",
  });
}
