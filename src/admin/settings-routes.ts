import { Elysia } from "elysia";
import { guard } from "../accounts/guard.ts";
import type { Identifier } from "../accounts/identify.ts";
import { readSmtp } from "../email/settings.ts";
import { readUploadLimit } from "../uploads/limit.ts";
import { TestSmtp, UpdateSmtp, UploadSettings } from "../wire/admin.ts";
import { byOf } from "./by.ts";
import type { AdminDeps } from "./deps.ts";
import { removeSmtp, updateSmtp } from "./smtp.ts";
import { updateUploads } from "./uploads.ts";

/** What holds for the whole site, for site administrators. */
export function settingsRoutes({ database, readKey, mailer }: AdminDeps, identifier: Identifier) {
  const { db, sql } = database;
  return new Elysia({ name: "admin-settings" })
    .use(guard(identifier))
    .derive(byOf)
    .get("/api/admin/settings/smtp", () => readSmtp(db))
    .put("/api/admin/settings/smtp", ({ by, body }) => updateSmtp(db, readKey, by, body), {
      body: UpdateSmtp,
    })
    .delete("/api/admin/settings/smtp", async ({ by, set }) => {
      await removeSmtp(db, by);
      set.status = 204;
    })
    .post(
      "/api/admin/settings/smtp/test",
      async ({ body }) => {
        await mailer.sendTest(body.to);
        return { to: body.to };
      },
      { body: TestSmtp },
    )
    .get("/api/admin/settings/uploads", async () => ({ max_bytes: await readUploadLimit(sql) }))
    .put("/api/admin/settings/uploads", ({ by, body }) => updateUploads(db, by, body), {
      body: UploadSettings,
    });
}
