import type { Database } from "../database/connect.ts";
import { toCallersMessage } from "../messages/read.ts";
import type { Poster } from "../messages/post.ts";
import { Reply, route } from "../routing/route.ts";
import { Message, Page } from "../wire/models.ts";
import { PageQuery } from "../wire/queries.ts";
import { ChangeScheduled, Scheduled, ScheduleMessage } from "../wire/scheduled-messages.ts";
import {
  changeScheduledMessage,
  removeScheduledMessage,
  listScheduledMessages,
  scheduleMessage,
} from "./scheduled-messages.ts";
import { sendNow } from "./send.ts";

/** Scheduled messages, visible only to their author. */
export const scheduledMessageRoutes = (database: Database, poster: Poster) => {
  const { db, sql } = database;
  return [
    route("GET /api/scheduled", {
      access: "write:messages",
      summary: "List the caller's scheduled messages, by their time",
      description: "Also those that have failed, and for a day those that were sent.",
      query: PageQuery,
      responses: { 200: Page(Scheduled) },
      handler: ({ actor, query }) => listScheduledMessages(sql, actor.id, query),
    }),
    route("POST /api/scheduled", {
      access: "write:messages",
      summary: "Schedule a message",
      description:
        "What the author may do is checked now, as for a post, and again when the message is sent. A known `client_id` returns the first entry and 200.",
      body: ScheduleMessage,
      responses: { 200: Scheduled, 201: Scheduled },
      errors: [
        ...(["room_not_found", "not_a_member", "room_archived", "conversation_closed"] as const),
        ...(["empty_message", "unknown_upload", "client_id_used", "too_many_scheduled"] as const),
        ...(["unknown_thread", "threads_off", "unknown_quote", "broadcast_restricted"] as const),
      ],
      async handler({ actor, body }) {
        const { scheduled, isNew } = await scheduleMessage(database, actor, body);
        return new Reply(isNew ? 201 : 200, scheduled);
      },
    }),
    route("PATCH /api/scheduled/:id", {
      access: "write:messages",
      summary: "Change a scheduled message; one that has failed waits again",
      body: ChangeScheduled,
      responses: { 200: Scheduled },
      errors: [
        ...(["scheduled_not_found", "already_sent", "too_many_scheduled"] as const),
        ...(["room_not_found", "not_a_member", "room_archived", "conversation_closed"] as const),
        ...(["empty_message", "unknown_upload"] as const),
        ...(["unknown_thread", "threads_off", "unknown_quote", "broadcast_restricted"] as const),
      ],
      handler: ({ actor, params, body }) =>
        changeScheduledMessage(database, actor, params.id, body),
    }),
    route("DELETE /api/scheduled/:id", {
      access: "write:messages",
      summary: "Delete a scheduled message",
      responses: { 204: null },
      errors: ["scheduled_not_found", "already_sent"],
      async handler({ actor, params }) {
        await db.transaction((tx) => removeScheduledMessage(tx, actor.id, params.id));
      },
    }),
    route("POST /api/scheduled/:id/send-now", {
      access: "write:messages",
      summary: "Send a scheduled message now",
      responses: { 201: Message },
      errors: [
        ...(["scheduled_not_found", "already_sent", "not_a_member", "room_archived"] as const),
        ...(["conversation_closed", "unknown_upload", "broadcast_restricted"] as const),
        ...(["unknown_thread", "threads_off"] as const),
      ],
      async handler({ actor, params }) {
        const message = await sendNow(database, poster, actor, params.id);
        return new Reply(201, toCallersMessage(actor, message));
      },
    }),
  ];
};
