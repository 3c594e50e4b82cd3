import { Type as t } from "@sinclair/typebox";
import type { Database } from "../database/connect.ts";
import { route } from "../routing/route.ts";
import { DraftCopy, SaveDraft } from "../wire/drafts.ts";
import { DraftsQuery } from "../wire/queries.ts";
import { listDrafts, saveDraft } from "./drafts.ts";

/** Drafts, visible only to their author and synchronized across their devices. */
export const draftRoutes = (database: Database) => [
  route("GET /api/drafts", {
    access: "person",
    summary: "List the caller's drafts, the last changed first",
    description: "All of them; with `after` also those that were cleared after it.",
    query: DraftsQuery,
    responses: { 200: t.Object({ items: t.Array(DraftCopy) }) },
    handler: async ({ actor, query }) => ({
      items: await listDrafts(database.sql, actor.id, query.after),
    }),
  }),
  route("PUT /api/drafts", {
    access: "person",
    summary: "Save a draft for all devices of the caller, or clear it",
    description:
      "`base_version` is the version that it follows. After a change of another device it is refused with `draft_changed`, and the problem's `draft` is the other one. `content` null clears; so does a message that is posted with the `client_id` and `clears_draft`.",
    body: SaveDraft,
    responses: { 200: t.Object({ version: t.Integer() }) },
    errors: [
      ...(["room_not_found", "not_a_member", "draft_changed", "too_many_drafts"] as const),
      "unknown_upload",
    ],
    handler: async ({ actor, body }) => ({ version: await saveDraft(database, actor.id, body) }),
  }),
];
