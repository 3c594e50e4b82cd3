import type { Drizzle } from "../database/connect.ts";
import { createInvite, type InviteDeps, resendInvite, revokeInvite } from "../invites/invites.ts";
import { listInvites } from "../invites/read-invites.ts";
import { route } from "../routing/route.ts";
import { CreateInvite, Invite, SentInvite } from "../wire/admin.ts";
import { Page } from "../wire/models.ts";
import { InviteQuery } from "../wire/queries.ts";
import { changeAsAdministrator } from "./change.ts";

/** Invites by email, for site administrators. */
export const inviteRoutes = (db: Drizzle, deps: InviteDeps) => [
  route("GET /api/admin/invites", {
    access: "administrator",
    summary: "List invites",
    query: InviteQuery,
    answers: { 200: Page(Invite) },
    run: ({ query }) => listInvites(db, query),
  }),
  route("POST /api/admin/invites", {
    access: "administrator",
    summary: "Invite someone by email; without mail, the link is in the answer",
    body: CreateInvite,
    answers: { 201: SentInvite },
    errors: ["email_taken", "already_invited"],
    run: (call) =>
      changeAsAdministrator(db, call, (tx, actor) => createInvite(tx, deps, actor, call.body)),
  }),
  route("POST /api/admin/invites/:id/resend", {
    access: "administrator",
    summary: "Send an invite again, with a new link",
    answers: { 200: SentInvite },
    errors: ["not_found", "invite_closed"],
    run: (call) =>
      changeAsAdministrator(db, call, (tx, actor) => resendInvite(tx, deps, actor, call.params.id)),
  }),
  route("DELETE /api/admin/invites/:id", {
    access: "administrator",
    summary: "Revoke an invite",
    answers: { 204: null },
    errors: ["not_found", "invite_closed"],
    run: (call) =>
      changeAsAdministrator(db, call, (tx, actor) => revokeInvite(tx, actor, call.params.id)),
  }),
];
