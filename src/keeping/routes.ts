import { Type as t } from "@sinclair/typebox";
import type { Database } from "../database/connect.ts";
import { toCallersMessage } from "../messages/hide-text.ts";
import type { Poster } from "../messages/post.ts";
import { route } from "../routing/route.ts";
import {
  ChangeScheduled,
  DraftCopy,
  Saved,
  SavedIds,
  SaveDraft,
  SaveMessage,
  Scheduled,
  ScheduleMessage,
} from "../wire/keeping.ts";
import { Message, Page } from "../wire/models.ts";
import { DraftsQuery, PageQuery, SavedQuery } from "../wire/queries.ts";
import { Answer } from "../routing/route.ts";
import { listDrafts, saveDraft } from "./drafts.ts";
import { deleteSaved, finishSaved, listSaved, readSavedIds, saveMessage } from "./saved.ts";
import { changeScheduled, deleteScheduled, listScheduled, scheduleMessage } from "./scheduled.ts";
import { sendNow } from "./send-scheduled.ts";

/** Saved messages, scheduled messages and drafts. Only their owner sees them. */
export const keepingRoutes = (database: Database, poster: Poster) => {
  const { db, sql } = database;
  return [
    route("GET /api/saved", {
      access: "person",
      summary: "List the messages that the caller has saved",
      description:
        "The last saved first; those that are due by their reminder, those that are done by when. What the caller can no longer read is left out.",
      query: SavedQuery,
      answers: { 200: Page(Saved) },
      run: ({ actor, query }) => listSaved(sql, actor.id, query),
    }),
    route("GET /api/saved/ids", {
      access: "person",
      summary: "List the ids of the messages that the caller has saved and not done",
      answers: { 200: SavedIds },
      run: ({ actor }) => readSavedIds(sql, actor.id),
    }),
    route("PUT /api/saved/:message_id", {
      access: "person",
      summary: "Save a message for later, with a note and a reminder",
      body: SaveMessage,
      answers: { 200: Saved },
      errors: ["message_not_found", "not_a_member", "too_many_saved"],
      run: ({ actor, params, body }) => saveMessage(database, actor.id, params.message_id, body),
    }),
    route("DELETE /api/saved/:message_id", {
      access: "person",
      summary: "Remove a message from the saved ones",
      answers: { 204: null },
      run: ({ actor, params }) => deleteSaved(db, actor.id, params.message_id),
    }),
    route("POST /api/saved/:message_id/done", {
      access: "person",
      summary: "Mark a saved message as done",
      description: "Its reminder is not sent any more.",
      answers: { 200: Saved },
      errors: ["message_not_found"],
      run: ({ actor, params }) => finishSaved(database, actor.id, params.message_id),
    }),
    route("GET /api/scheduled", {
      access: "write:messages",
      summary: "List the caller's scheduled messages, by their time",
      description: "Also those that have failed, and for a day those that were sent.",
      query: PageQuery,
      answers: { 200: Page(Scheduled) },
      run: ({ actor, query }) => listScheduled(sql, actor.id, query),
    }),
    route("POST /api/scheduled", {
      access: "write:messages",
      summary: "Schedule a message",
      description:
        "What the author may do is checked now, as for a post, and again when the message is sent. A known `client_id` is answered with the first entry and 200.",
      body: ScheduleMessage,
      answers: { 200: Scheduled, 201: Scheduled },
      errors: [
        ...(["room_not_found", "not_a_member", "room_archived", "conversation_closed"] as const),
        ...(["empty_message", "unknown_upload", "client_id_used", "too_many_scheduled"] as const),
        ...(["unknown_thread", "threads_off", "unknown_quote"] as const),
      ],
      async run({ actor, body }) {
        const { scheduled, isNew } = await scheduleMessage(database, actor, body);
        return new Answer(isNew ? 201 : 200, scheduled);
      },
    }),
    route("PATCH /api/scheduled/:id", {
      access: "write:messages",
      summary: "Change a scheduled message; one that has failed waits again",
      body: ChangeScheduled,
      answers: { 200: Scheduled },
      errors: [
        ...(["scheduled_not_found", "already_sent", "too_many_scheduled"] as const),
        ...(["room_not_found", "not_a_member", "room_archived", "conversation_closed"] as const),
        ...(["empty_message", "unknown_upload"] as const),
        ...(["unknown_thread", "threads_off", "unknown_quote"] as const),
      ],
      run: ({ actor, params, body }) => changeScheduled(database, actor, params.id, body),
    }),
    route("DELETE /api/scheduled/:id", {
      access: "write:messages",
      summary: "Delete a scheduled message",
      answers: { 204: null },
      errors: ["scheduled_not_found", "already_sent"],
      run: ({ actor, params }) => deleteScheduled(db, actor.id, params.id),
    }),
    route("POST /api/scheduled/:id/send-now", {
      access: "write:messages",
      summary: "Send a scheduled message now",
      answers: { 201: Message },
      errors: [
        ...(["scheduled_not_found", "already_sent", "not_a_member", "room_archived"] as const),
        ...(["conversation_closed", "unknown_upload", "broadcast_restricted"] as const),
        ...(["unknown_thread", "threads_off"] as const),
      ],
      async run({ actor, params }) {
        const message = await sendNow(database, poster, actor, params.id);
        return new Answer(201, toCallersMessage(actor, message));
      },
    }),
    route("GET /api/drafts", {
      access: "person",
      summary: "List the caller's drafts, the last changed first",
      description: "All of them; with `after` also those that were cleared after it.",
      query: DraftsQuery,
      answers: { 200: t.Object({ items: t.Array(DraftCopy) }) },
      run: async ({ actor, query }) => ({ items: await listDrafts(sql, actor.id, query.after) }),
    }),
    route("PUT /api/drafts", {
      access: "person",
      summary: "Save a draft for all devices of the caller, or clear it",
      description:
        "`base_version` is the version that it follows. After a change of another device it is refused with `draft_changed`, and the problem's `draft` is the other one. `content` null clears; so does a message that is posted with the `client_id` and `clears_draft`.",
      body: SaveDraft,
      answers: { 200: t.Object({ version: t.Integer() }) },
      errors: [
        ...(["room_not_found", "not_a_member", "draft_changed", "too_many_drafts"] as const),
        "unknown_upload",
      ],
      run: async ({ actor, body }) => ({ version: await saveDraft(database, actor.id, body) }),
    }),
  ];
};
