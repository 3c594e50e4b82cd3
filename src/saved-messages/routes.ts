import type { Database } from "../database/connect.ts";
import { route } from "../routing/route.ts";
import { Page } from "../wire/models.ts";
import { SavedQuery } from "../wire/queries.ts";
import { Saved, SavedIds, SaveMessage } from "../wire/saved-messages.ts";
import {
  deleteSavedMessage,
  finishSavedMessage,
  listSavedMessages,
  readSavedIds,
  saveMessage,
} from "./saved-messages.ts";

/** Saved messages, visible only to the user who saved them. */
export const savedMessageRoutes = (database: Database) => {
  const { db, sql } = database;
  return [
    route("GET /api/saved", {
      access: "person",
      summary: "List the messages that the caller has saved",
      description:
        "The last saved first; those that are due by their reminder, those that are done by when. What the caller can no longer read is left out.",
      query: SavedQuery,
      responses: { 200: Page(Saved) },
      handler: ({ actor, query }) => listSavedMessages(sql, actor.id, query),
    }),
    route("GET /api/saved/ids", {
      access: "person",
      summary: "List the ids of the messages that the caller has saved and not done",
      responses: { 200: SavedIds },
      handler: ({ actor }) => readSavedIds(sql, actor.id),
    }),
    route("PUT /api/saved/:message_id", {
      access: "person",
      summary: "Save a message for later, with a note and a reminder",
      body: SaveMessage,
      responses: { 200: Saved },
      errors: ["message_not_found", "not_a_member", "too_many_saved"],
      handler: ({ actor, params, body }) =>
        saveMessage(database, actor.id, params.message_id, body),
    }),
    route("DELETE /api/saved/:message_id", {
      access: "person",
      summary: "Remove a message from the saved ones",
      responses: { 204: null },
      handler: ({ actor, params }) => deleteSavedMessage(db, actor.id, params.message_id),
    }),
    route("POST /api/saved/:message_id/done", {
      access: "person",
      summary: "Mark a saved message as done",
      description: "Its reminder is not sent any more.",
      responses: { 200: Saved },
      errors: ["message_not_found"],
      handler: ({ actor, params }) => finishSavedMessage(database, actor.id, params.message_id),
    }),
  ];
};
