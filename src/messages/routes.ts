import { Elysia, t } from "elysia";
import { guard, needs } from "../accounts/guard.ts";
import type { Identifier } from "../accounts/identify.ts";
import type { Database } from "../database/connect.ts";
import { largeBody } from "../platform/large-body.ts";
import { Id } from "../wire/models.ts";
import { ChangesQuery, HistoryQuery } from "../wire/queries.ts";
import { EditMessage, PostMessage, React } from "../wire/requests.ts";
import { deleteMessage, editMessage } from "./change.ts";
import { readChanges } from "./events.ts";
import { getMessage, readHistory } from "./history.ts";
import { NewestPages } from "./newest.ts";
import type { Poster } from "./post.ts";
import { toggleReaction } from "./react.ts";

const params = t.Object({ id: Id });

/** Messages of a room, its history and its log. */
export function messageRoutes(database: Database, identifier: Identifier, poster: Poster) {
  const pages = new NewestPages(database.sql);
  return new Elysia({ name: "messages" })
    .use(guard(identifier))
    .get(
      "/api/rooms/:id/messages",
      async ({ actor, params, query }) => {
        const text = await readHistory(database.sql, pages, actor.id, params.id, query);
        const headers = { "content-type": "application/json" };
        return new Response(largeBody(text), { headers });
      },
      { params, query: HistoryQuery, ...needs("read:messages") },
    )
    .get(
      "/api/rooms/:id/changes",
      ({ actor, params, query }) =>
        readChanges(database, actor.id, params.id, query.after, query.limit),
      { params, query: ChangesQuery, ...needs("read:messages") },
    )
    .post(
      "/api/rooms/:id/messages",
      async ({ actor, params, body, set }) => {
        const { message, isNew } = await poster.post(actor.id, params.id, body);
        set.status = isNew ? 201 : 200;
        return message;
      },
      { params, body: PostMessage, ...needs("write:messages") },
    )
    .get(
      "/api/messages/:id",
      ({ actor, params }) => getMessage(database.sql, actor.id, params.id),
      { params, ...needs("read:messages") },
    )
    .patch(
      "/api/messages/:id",
      ({ actor, params, body }) => editMessage(database, actor.id, params.id, body.content),
      { params, body: EditMessage, ...needs("write:messages") },
    )
    .post(
      "/api/messages/:id/reactions",
      ({ actor, params, body }) => toggleReaction(database, actor.id, params.id, body.emoji),
      { params, body: React, ...needs("write:messages") },
    )
    .delete(
      "/api/messages/:id",
      async ({ actor, params, set }) => {
        await deleteMessage(database, actor.id, params.id);
        set.status = 204;
      },
      { params, ...needs("write:messages") },
    );
}
