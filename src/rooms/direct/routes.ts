import type { Database } from "../../database/connect.ts";
import { Answer, route } from "../../routing/route.ts";
import { Direct, MyRoom, Page } from "../../wire/models.ts";
import { DirectQuery } from "../../wire/queries.ts";
import { AddToDirect, MakeRoom, OpenDirect } from "../../wire/requests.ts";
import { toCallersRoom } from "../newest-pin.ts";
import { requireRoom } from "../read.ts";
import { addToDirect, leaveDirect, makeRoom } from "./members.ts";
import { openDirect } from "./open.ts";
import { requireDirect, listDirects } from "./read.ts";

/** Direct conversations. Their messages are read and written as those of a room. */
export const directRoutes = (database: Database) => {
  const { db, sql } = database;
  return [
    route("GET /api/direct", {
      access: "read:messages",
      summary: "List the caller's direct conversations, the last active first",
      description:
        "Without `all=true` those are left out that the caller has hidden since their last message.",
      query: DirectQuery,
      answers: { 200: Page(Direct) },
      run: ({ actor, query }) => listDirects(sql, actor.id, query),
    }),
    route("POST /api/direct", {
      access: "write:messages",
      summary: "Open the direct conversation with these people, or with oneself",
      description:
        "There is one for each set of people: 200 with the one that exists, or 201 with a new one. A bot opens one with a person who is in a room with it, at most 20 new ones an hour.",
      body: OpenDirect,
      answers: { 200: Direct, 201: Direct },
      errors: ["user_not_found", "too_many", "not_for_bots", "rate_limited"],
      async run({ actor, body }) {
        const { direct, isNew } = await openDirect(database, actor, body.user_ids);
        return new Answer(isNew ? 201 : 200, toCallersRoom(actor, direct));
      },
    }),
    route("GET /api/direct/:id", {
      access: "read:messages",
      summary: "Get a direct conversation",
      answers: { 200: Direct },
      errors: ["room_not_found"],
      run: ({ actor, params }) => requireDirect(sql, actor.id, params.id),
    }),
    route("POST /api/direct/:id/members", {
      access: "write:messages",
      summary: "Add someone to a conversation of three or more, who then sees all of it",
      body: AddToDirect,
      answers: { 201: Direct },
      errors: [
        ...(["room_not_found", "user_not_found", "not_for_direct"] as const),
        ...(["already_a_member", "too_many", "conversation_closed"] as const),
        "not_for_bots",
      ],
      run: async ({ actor, params, body }) =>
        toCallersRoom(actor, await addToDirect(database, actor, params.id, body.user_id)),
    }),
    route("POST /api/direct/:id/leave", {
      access: "write:messages",
      summary: "Leave a conversation of three or more",
      answers: { 204: null },
      errors: ["room_not_found", "not_for_direct"],
      run: ({ actor, params }) => leaveDirect(db, actor.id, params.id),
    }),
    route("POST /api/direct/:id/room", {
      access: "write:messages",
      summary: "Make a conversation of three or more a private room that the caller owns",
      body: MakeRoom,
      answers: { 200: MyRoom },
      errors: ["room_not_found", "not_for_direct", "room_name_taken"],
      async run({ actor, params, body }) {
        await makeRoom(db, actor.id, params.id, body);
        return toCallersRoom(actor, await requireRoom(sql, actor.id, params.id));
      },
    }),
  ];
};
