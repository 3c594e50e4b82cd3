import { Type as t } from "@sinclair/typebox";
import type { Database } from "../database/connect.ts";
import { requireMembership } from "../rooms/access.ts";
import { jsonResponse } from "../routing/response.ts";
import { Reply, route } from "../routing/route.ts";
import { NewerEvent, RoomEvent } from "../wire/events.ts";
import { History, Message, Page, Reaction } from "../wire/models.ts";
import { ChangesQuery, HistoryQuery, IdempotencyHeaders, PageQuery } from "../wire/queries.ts";
import { EditMessage, PostMessage, React } from "../wire/requests.ts";
import { deleteMessage, editMessage } from "./change.ts";
import { readChanges } from "./events.ts";
import { requireMessage } from "./access.ts";
import { HistoryPages, readHistory } from "./history.ts";
import { toCallersMessage } from "./read.ts";
import { postOnce } from "./idempotency.ts";
import { listPins, pinMessage, unpinMessage } from "./pin.ts";
import type { Poster } from "./post.ts";
import { toggleReaction } from "./react.ts";

export const messageRoutes = (database: Database, poster: Poster) => {
  const { sql } = database;
  const pages = new HistoryPages(sql);
  return [
    route("GET /api/rooms/:id/messages", {
      access: "read:messages",
      room: "member",
      summary: "Get a page of a room's history, oldest first",
      description:
        "The newest page; or the page before, after or around a message; or around the first message at or after a time. More than one of these is 422.",
      query: HistoryQuery,
      responses: { 200: History },
      errors: ["message_not_found"],
      handler: async ({ actor, params, query }) =>
        jsonResponse(await readHistory(sql, pages, actor.id, params.id, query)),
    }),
    route("GET /api/rooms/:id/changes", {
      access: "read:messages",
      room: "member",
      summary: "List everything that happened in a room after a number, as WebSocket events",
      query: ChangesQuery,
      responses: {
        200: t.Object({
          items: t.Array(t.Union([RoomEvent, NewerEvent])),
          seq: t.Integer(),
          has_more: t.Boolean(),
        }),
      },
      errors: ["seq_gone"],
      handler: ({ actor, params, query }) => readChanges(database, actor.id, params.id, query),
    }),
    route("POST /api/rooms/:id/messages", {
      access: "write:messages",
      room: "member",
      summary: "Post a message",
      description:
        "A known `client_id` returns the first message and 200. So does a request that repeats the `Idempotency-Key` and body of one in the last 24 hours.",
      headers: IdempotencyHeaders,
      body: PostMessage,
      responses: { 200: Message, 201: Message },
      errors: [
        "room_archived",
        "conversation_closed",
        "client_id_used",
        "idempotency_key_used",
        "message_not_found",
        "rate_limited",
        "empty_message",
        "broadcast_restricted",
        "unknown_upload",
        "unknown_thread",
        "threads_off",
        "unknown_quote",
      ],
      async handler({ actor, params, body, request }) {
        const { headers } = request;
        // Checked first, so that callers who may not post do not use up keys.
        if (headers.has("idempotency-key"))
          await requireMembership(sql, actor.id, params.id, "member");
        const result = await postOnce(database, actor.id, headers, [params.id, body], (key) =>
          poster.post(actor, params.id, { ...body, client_id: body.client_id ?? key?.clientId }),
        );
        const { message, isNew } =
          "earlierId" in result
            ? { message: await requireMessage(sql, actor.id, result.earlierId), isNew: false }
            : result;
        return new Reply(isNew ? 201 : 200, toCallersMessage(actor, message));
      },
    }),
    route("GET /api/messages/:id", {
      access: "read:messages",
      summary: "Get a message",
      responses: { 200: Message },
      errors: ["message_not_found", "not_a_member"],
      handler: ({ actor, params }) => requireMessage(sql, actor.id, params.id),
    }),
    route("PATCH /api/messages/:id", {
      access: "write:messages",
      summary: "Edit a message of the caller",
      body: EditMessage,
      responses: { 200: Message },
      errors: [
        "message_not_found",
        "not_a_member",
        "not_author",
        "room_archived",
        "conversation_closed",
        "empty_message",
        "broadcast_restricted",
      ],
      handler: async ({ actor, params, body }) =>
        toCallersMessage(actor, await editMessage(database, actor.id, params.id, body.content)),
    }),
    route("DELETE /api/messages/:id", {
      access: "write:messages",
      summary: "Delete a message, as its author or the room's owner or admin",
      description:
        "What was written while the room was a conversation is for its author alone to delete.",
      responses: { 204: null },
      errors: ["message_not_found", "not_a_member", "role_required"],
      handler: ({ actor, params }) => deleteMessage(database, actor.id, params.id),
    }),
    route("PUT /api/messages/:id/pin", {
      access: "write:messages",
      summary: "Pin a message in its room",
      description: "A token without `read:messages` gets a response without the text of others.",
      responses: { 200: Message },
      errors: [
        ...(["message_not_found", "not_a_member", "role_required"] as const),
        ...(["room_archived", "conversation_closed", "too_many_pins"] as const),
      ],
      handler: async ({ actor, params }) =>
        toCallersMessage(actor, await pinMessage(database, actor.id, params.id)),
    }),
    route("DELETE /api/messages/:id/pin", {
      access: "write:messages",
      summary: "Unpin a message",
      description:
        "For the person who pinned it, its author, and the room's owner and admins; in a conversation for everyone.",
      responses: { 204: null },
      errors: [
        ...(["message_not_found", "not_a_member", "role_required"] as const),
        ...(["room_archived", "conversation_closed"] as const),
      ],
      handler: ({ actor, params }) => unpinMessage(database, actor.id, params.id),
    }),
    route("GET /api/rooms/:id/pins", {
      access: "read:messages",
      room: "member",
      summary: "List a room's pinned messages, the newest pin first",
      query: PageQuery,
      responses: { 200: Page(Message) },
      handler: ({ actor, params, query }) => listPins(sql, actor.id, params.id, query),
    }),
    route("POST /api/messages/:id/reactions", {
      access: "write:messages",
      summary: "Add an emoji to a message, or remove it",
      body: React,
      responses: { 200: t.Object({ reactions: t.Array(Reaction), active: t.Boolean() }) },
      errors: [
        "message_not_found",
        "not_a_member",
        "room_archived",
        "conversation_closed",
        "too_many_reactions",
      ],
      handler: ({ actor, params, body }) =>
        toggleReaction(database, actor.id, params.id, body.emoji),
    }),
  ];
};
