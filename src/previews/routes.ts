import { Elysia, t } from "elysia";
import { guard } from "../accounts/guard.ts";
import type { Identifier } from "../accounts/identify.ts";
import type { HandSql } from "../database/connect.ts";
import { Refusal } from "../platform/refusal.ts";
import { isShown } from "./pictures.ts";
import type { PictureStore } from "./store.ts";

const params = t.Object({ sha256: t.String({ pattern: "^[0-9a-f]{64}$" }) });

/** The pictures of link previews, for anyone who is signed in: the web shows them to everyone. */
export function previewRoutes(sql: HandSql, identifier: Identifier, store: PictureStore) {
  return new Elysia({ name: "previews" }).use(guard(identifier)).get(
    "/api/previews/:sha256",
    async ({ params, request, set }) => {
      const key = params.sha256;
      if (!(await isShown(sql, key))) throw gone();
      const etag = `"${key}"`;
      set.headers.etag = etag;
      set.headers["cache-control"] = "private, max-age=31536000, immutable";
      if (request.headers.get("if-none-match") === etag) {
        set.status = 304;
        return null;
      }
      const picture = await store.open(key);
      if (!picture) throw gone();
      set.headers["content-type"] = "image/webp";
      set.headers["content-security-policy"] = "sandbox; default-src 'none'";
      return picture;
    },
    { params },
  );
}

function gone(): Refusal {
  return new Refusal("not_found", "There is no such picture.");
}
