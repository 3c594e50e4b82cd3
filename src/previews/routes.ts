import type { SqlClient } from "../database/connect.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Storage } from "../platform/storage/storage.ts";
import { route } from "../routing/route.ts";
import { serve } from "../uploads/serve.ts";
import { Sha256 } from "../wire/models.ts";

/** The pictures of link previews, for everyone who is signed in: they are public on the web. */
export const previewRoutes = (sql: SqlClient, storage: Storage) => [
  route("GET /api/previews/:sha256", {
    access: "signed-in",
    summary: "Get the picture of a link preview",
    params: { sha256: Sha256 },
    answers: { 200: { media: "image/webp", description: "The picture" }, 304: null },
    errors: ["not_found"],
    run: ({ params, request }) => servePicture(sql, storage, params.sha256, request),
  }),
];

/** Serves only what a preview shows: uploads of rooms are in the same storage. */
async function servePicture(sql: SqlClient, storage: Storage, sha256: string, request: Request) {
  const [found] = await sql<{ sha256: Buffer; size_bytes: number }[]>`
    select b.sha256, b.size_bytes from link_previews p join blobs b on b.sha256 = p.image_sha256
    where p.image_sha256 = ${Buffer.from(sha256, "hex")} limit 1`;
  if (!found) throw new Refusal("not_found", "There is no such picture.");
  return serve(request, storage, found, {
    mime: "image/webp",
    disposition: "inline",
    cacheControl: "private, max-age=31536000, immutable",
  });
}
