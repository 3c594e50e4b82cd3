import { Elysia, t } from "elysia";
import { guard } from "../accounts/guard.ts";
import type { Identifier } from "../accounts/identify.ts";
import type { Database } from "../database/connect.ts";
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
      ({ actor, params, query, set }) => {
        set.headers["content-type"] = "application/json";
        return readHistory(database.sql, pages, actor.id, params.id, query);
      },
      { params, query: HistoryQuery },
    )
    .get(
      "/api/rooms/:id/changes",
      ({ actor, params, query }) =>
        readChanges(database, actor.id, params.id, query.after, query.limit),
      { params, query: ChangesQuery },
    )
    .post(
      "/api/rooms/:id/messages",
      async ({ actor, params, body, set }) => {
        const { message, isNew } = await poster.post(actor.id, params.id, body);
        set.status = isNew ? 201 : 200;
        return message;
      },
      { params, body: PostMessage },
    )
    .get(
      "/api/messages/:id",
      ({ actor, params }) => getMessage(database.sql, actor.id, params.id),
      {
        params,
      },
    )
    .patch(
      "/api/messages/:id",
      ({ actor, params, body }) => editMessage(database, actor.id, params.id, body.content),
      { params, body: EditMessage },
    )
    .post(
      "/api/messages/:id/reactions",
      ({ actor, params, body }) => toggleReaction(database, actor.id, params.id, body.emoji),
      { params, body: React },
    )
    .delete(
      "/api/messages/:id",
      async ({ actor, params, set }) => {
        await deleteMessage(database, actor.id, params.id);
        set.status = 204;
      },
      { params },
    );
}
