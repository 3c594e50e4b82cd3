import { Elysia } from "elysia";
import { guard } from "../accounts/guard.ts";
import type { Identifier } from "../accounts/identify.ts";
import type { Database } from "../database/connect.ts";
import type { Mailer } from "../email/mailer.ts";
import { readSmtp } from "../email/settings.ts";
import type { ReadKey } from "../platform/secrets.ts";
import { TestSmtp, UpdateSmtp } from "../wire/admin.ts";
import { botRoutes } from "./bot-routes.ts";
import { byOf } from "./by.ts";
import { removeSmtp, updateSmtp } from "./smtp.ts";

export type AdminDeps = { database: Database; readKey: ReadKey; mailer: Mailer };

/** For site administrators alone: the guard turns everyone else away from `/api/admin`. */
export function adminRoutes(deps: AdminDeps, identifier: Identifier) {
  const { database, readKey, mailer } = deps;
  const { db } = database;
  return new Elysia({ name: "admin" })
    .use(guard(identifier))
    .use(botRoutes(db, identifier))
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
    );
}
