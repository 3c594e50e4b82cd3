import type { Database } from "../../database/connect.ts";
import { Reply, route } from "../../routing/route.ts";
import { Direct, MyRoom, Page } from "../../wire/models.ts";
import { DirectQuery } from "../../wire/queries.ts";
import { AddToDirect, MakeRoom, OpenDirect } from "../../wire/requests.ts";
import { toCallersRoom } from "../newest-pin.ts";
import { requireDirect, requireRoom } from "../viewers-rooms.ts";
import { addToDirect, leaveDirect, makeRoom } from "./members.ts";
import { openDirect } from "./open.ts";
import { listDirects } from "./read.ts";

/** Messages of conversations use the routes of rooms. */
export const directRoutes = (database: Database) => {
  const { db, sql } = database;
  return [
    route("GET /api/direct", {
      access: "read:messages",
      summary: "List the caller's direct conversations, most recently active first",
      description:
        "Without `all=true`, conversations that the caller has hidden since their last message are left out.",
      query: DirectQuery,
      responses: { 200: Page(Direct) },
      handler: ({ actor, query }) => listDirects(sql, actor.id, query),
    }),
    route("POST /api/direct", {
      access: "write:messages",
      summary: "Open the direct conversation with these people, or with oneself",
      description:
        "There is one for each set of people: 200 with the one that exists, or 201 with a new one. A bot opens one with a person who is in a room with it, at most 20 new ones an hour.",
      body: OpenDirect,
      responses: { 200: Direct, 201: Direct },
      errors: ["user_not_found", "too_many", "not_for_bots", "rate_limited"],
      async handler({ actor, body }) {
        const { direct, isNew } = await openDirect(database, actor, body.user_ids);
        return new Reply(isNew ? 201 : 200, toCallersRoom(actor, direct));
      },
    }),
    route("GET /api/direct/:id", {
      access: "read:messages",
      summary: "Get a direct conversation",
      responses: { 200: Direct },
      errors: ["room_not_found"],
      handler: ({ actor, params }) => requireDirect(sql, actor.id, params.id),
    }),
    route("POST /api/direct/:id/members", {
      access: "write:messages",
      summary: "Add someone to a conversation of three or more, who then sees all of it",
      body: AddToDirect,
      responses: { 201: Direct },
      errors: [
        ...(["room_not_found", "user_not_found", "not_for_direct"] as const),
        ...(["already_a_member", "too_many", "conversation_closed"] as const),
        "not_for_bots",
      ],
      handler: async ({ actor, params, body }) =>
        toCallersRoom(actor, await addToDirect(database, actor, params.id, body.user_id)),
    }),
    route("POST /api/direct/:id/leave", {
      access: "write:messages",
      summary: "Leave a conversation of three or more",
      responses: { 204: null },
      errors: ["room_not_found", "not_for_direct"],
      handler: ({ actor, params }) => leaveDirect(db, actor.id, params.id),
    }),
    route("POST /api/direct/:id/room", {
      access: "write:messages",
      summary: "Make a conversation of three or more a private room that the caller owns",
      description:
        "Everyone else in it becomes an admin, except bots. The room stays private and cannot be deleted, no bot can be added, and what was said before is for its authors alone to delete.",
      body: MakeRoom,
      responses: { 200: MyRoom },
      errors: ["room_not_found", "not_for_direct", "conversation_closed", "room_name_taken"],
      async handler({ actor, params, body }) {
        await makeRoom(db, actor.id, params.id, body);
        return toCallersRoom(actor, await requireRoom(sql, actor.id, params.id));
      },
    }),
  ];
};
