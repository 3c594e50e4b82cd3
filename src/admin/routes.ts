import { Elysia, t } from "elysia";
import { guard } from "../accounts/guard.ts";
import type { Identifier } from "../accounts/identify.ts";
import type { Database } from "../database/connect.ts";
import type { Mailer } from "../email/mailer.ts";
import { readSmtp } from "../email/settings.ts";
import { listInvites } from "../invites/invites.ts";
import type { ReadKey } from "../platform/secrets.ts";
import { CreateInvite, TestSmtp, UpdateSmtp } from "../wire/admin.ts";
import { Id } from "../wire/models.ts";
import { InviteQuery } from "../wire/queries.ts";
import { botRoutes } from "./bot-routes.ts";
import { byOf } from "./by.ts";
import { invite, sendInviteAgain, withdrawInvite } from "./invites.ts";
import { removeSmtp, updateSmtp } from "./smtp.ts";

export type AdminDeps = { database: Database; readKey: ReadKey; mailer: Mailer; baseUrl: string };

const one = { params: t.Object({ id: Id }) };

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
    )
    .get("/api/admin/invites", ({ query }) => listInvites(db, query), { query: InviteQuery })
    .post(
      "/api/admin/invites",
      async ({ by, body, set }) => {
        set.status = 201;
        return invite(db, deps, by, body);
      },
      { body: CreateInvite },
    )
    .post(
      "/api/admin/invites/:id/resend",
      ({ by, params }) => sendInviteAgain(db, deps, by, params.id),
      one,
    )
    .delete(
      "/api/admin/invites/:id",
      async ({ by, params, set }) => {
        await withdrawInvite(db, by, params.id);
        set.status = 204;
      },
      one,
    );
}
