import { Elysia, t } from "elysia";
import { deactivate, demote, promote, reactivate } from "../accounts/administer.ts";
import { guard } from "../accounts/guard.ts";
import type { Identifier } from "../accounts/identify.ts";
import type { Drizzle } from "../database/connect.ts";
import { ResetUserPassword } from "../wire/admin.ts";
import { Id } from "../wire/models.ts";
import { AdminUserQuery } from "../wire/queries.ts";
import { byOf } from "./by.ts";
import { changeAccount, listUsers, resetUserPassword } from "./users.ts";

const one = { params: t.Object({ id: Id }) };

/** Accounts, for site administrators. */
export function userRoutes(db: Drizzle, identifier: Identifier) {
  return new Elysia({ name: "admin-users" })
    .use(guard(identifier))
    .derive(byOf)
    .get("/api/admin/users", ({ query }) => listUsers(db, query), { query: AdminUserQuery })
    .post(
      "/api/admin/users/:id/deactivate",
      ({ by, params }) => changeAccount(db, by, params.id, deactivate),
      one,
    )
    .post(
      "/api/admin/users/:id/reactivate",
      ({ by, params }) => changeAccount(db, by, params.id, reactivate),
      one,
    )
    .post(
      "/api/admin/users/:id/promote",
      ({ by, params }) => changeAccount(db, by, params.id, promote),
      one,
    )
    .post(
      "/api/admin/users/:id/demote",
      ({ by, params }) => changeAccount(db, by, params.id, demote),
      one,
    )
    .post(
      "/api/admin/users/:id/reset-password",
      ({ by, params, body }) => resetUserPassword(db, by, params.id, body?.password),
      { ...one, body: t.Optional(ResetUserPassword) },
    );
}
