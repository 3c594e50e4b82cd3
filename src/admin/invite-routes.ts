import { Elysia, t } from "elysia";
import { guard } from "../accounts/guard.ts";
import type { Identifier } from "../accounts/identify.ts";
import type { Drizzle } from "../database/connect.ts";
import { type InviteDeps, listInvites } from "../invites/invites.ts";
import { CreateInvite } from "../wire/admin.ts";
import { Id } from "../wire/models.ts";
import { InviteQuery } from "../wire/queries.ts";
import { byOf } from "./by.ts";
import { invite, sendInviteAgain, withdrawInvite } from "./invites.ts";

const one = { params: t.Object({ id: Id }) };

/** Who was asked to come, for site administrators. */
export function inviteRoutes(db: Drizzle, deps: InviteDeps, identifier: Identifier) {
  return new Elysia({ name: "admin-invites" })
    .use(guard(identifier))
    .derive(byOf)
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
