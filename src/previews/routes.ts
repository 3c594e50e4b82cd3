import { Elysia, t } from "elysia";
import { guard } from "../accounts/guard.ts";
import type { Identifier } from "../accounts/identify.ts";
import type { HandSql } from "../database/connect.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Storage } from "../platform/storage/storage.ts";
import { serve } from "../uploads/serve.ts";
import { Sha256 } from "../wire/models.ts";

/** The pictures of link previews, for anyone who is signed in: the web shows them to everyone. */
export function previewRoutes(sql: HandSql, identifier: Identifier, storage: Storage) {
  return new Elysia({ name: "previews" })
    .use(guard(identifier))
    .get(
      "/api/previews/:sha256",
      ({ params, request }) => servePicture(sql, storage, params.sha256, request),
      { params: t.Object({ sha256: Sha256 }) },
    );
}

/** Only what a preview shows: what people uploaded to their rooms lies in the same storage. */
async function servePicture(sql: HandSql, storage: Storage, sha256: string, request: Request) {
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
