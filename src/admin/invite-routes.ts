import { Type as t } from "@sinclair/typebox";
import type { Drizzle } from "../database/connect.ts";
import { createInvite, type InviteDeps, resendInvite, revokeInvite } from "../invites/invites.ts";
import { listInvites } from "../invites/read-invites.ts";
import { createInviteLink, listInviteLinks, revokeInviteLink } from "../invites/shared-links.ts";
import { route } from "../routing/route.ts";
import { CreateInvite, CreateInviteLink, Invite, InviteLink, SentInvite } from "../wire/admin.ts";
import { Page } from "../wire/models.ts";
import { InviteQuery, PageQuery } from "../wire/queries.ts";
import { changeAsAdministrator } from "./change.ts";

/** Invites by email and by link, for site administrators. */
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
    proof: "needed",
    summary: "Invite someone by email; without mail, the link is in the answer",
    body: CreateInvite,
    answers: { 201: SentInvite },
    errors: ["email_taken", "already_invited"],
    run: (call) =>
      changeAsAdministrator(db, call, (tx, actor) => createInvite(tx, deps, actor, call.body)),
  }),
  route("POST /api/admin/invites/:id/resend", {
    access: "administrator",
    proof: "needed",
    summary: "Send an invite again, with a new link",
    answers: { 200: SentInvite },
    errors: ["not_found", "invite_closed"],
    run: (call) =>
      changeAsAdministrator(db, call, (tx, actor) => resendInvite(tx, deps, actor, call.params.id)),
  }),
  route("DELETE /api/admin/invites/:id", {
    access: "administrator",
    proof: "needed",
    summary: "Revoke an invite",
    answers: { 204: null },
    errors: ["not_found", "invite_closed"],
    run: (call) =>
      changeAsAdministrator(db, call, (tx, actor) => revokeInvite(tx, actor, call.params.id)),
  }),
  route("GET /api/admin/invite-links", {
    access: "administrator",
    summary: "List signup links that several people may use",
    query: PageQuery,
    answers: { 200: Page(InviteLink) },
    run: ({ query }) => listInviteLinks(db, deps, query),
  }),
  route("POST /api/admin/invite-links", {
    access: "administrator",
    proof: "needed",
    summary: "Make a signup link that several people may use",
    body: t.Optional(CreateInviteLink),
    answers: { 201: InviteLink },
    errors: ["too_many_invite_links"],
    run: (call) =>
      changeAsAdministrator(db, call, (tx, actor) =>
        createInviteLink(tx, deps, { ...actor, actorId: call.actor.id }, call.body ?? {}),
      ),
  }),
  route("DELETE /api/admin/invite-links/:id", {
    access: "administrator",
    proof: "needed",
    summary: "Revoke a signup link",
    answers: { 204: null },
    errors: ["not_found", "invite_closed"],
    run: (call) =>
      changeAsAdministrator(db, call, (tx, actor) =>
        revokeInviteLink(tx, deps, actor, call.params.id),
      ),
  }),
];
