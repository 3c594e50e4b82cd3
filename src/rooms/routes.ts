import { Elysia, t } from "elysia";
import { guard } from "../accounts/guard.ts";
import type { Identifier } from "../accounts/identify.ts";
import type { Database } from "../database/connect.ts";
import { Id } from "../wire/models.ts";
import { PageQuery, SearchQuery } from "../wire/queries.ts";
import {
  AddMember,
  ChangeRole,
  CreateRoom,
  MarkRead,
  TransferRoom,
  UpdateMembership,
  UpdateRoom,
} from "../wire/requests.ts";
import { createRoom, deleteRoom, updateRoom } from "./change.ts";
import {
  addMember,
  changeRole,
  joinRoom,
  leaveRoom,
  listMembers,
  removeMember,
} from "./members.ts";
import { transferRoom } from "./ownership.ts";
import { browseRooms, getRoom, listRooms } from "./read.ts";
import { markRead, updateMembership } from "./read-mark.ts";

const room = { params: t.Object({ id: Id }) };
const member = { params: t.Object({ id: Id, user_id: Id }) };

/** Rooms, their members, and the caller's own marks in them. */
export function roomRoutes(database: Database, identifier: Identifier) {
  const { db, sql } = database;
  return new Elysia({ name: "rooms" })
    .use(guard(identifier))
    .get("/api/rooms", ({ actor, query }) => listRooms(db, actor.id, query), { query: PageQuery })
    .get("/api/rooms/browse", ({ actor, query }) => browseRooms(db, actor.id, query), {
      query: SearchQuery,
    })
    .post(
      "/api/rooms",
      async ({ actor, body, set }) => {
        const id = await createRoom(db, actor.id, body);
        set.status = 201;
        return getRoom(db, actor.id, id);
      },
      { body: CreateRoom },
    )
    .get("/api/rooms/:id", ({ actor, params }) => getRoom(db, actor.id, params.id), room)
    .patch(
      "/api/rooms/:id",
      async ({ actor, params, body }) => {
        await updateRoom(db, actor.id, params.id, body);
        return getRoom(db, actor.id, params.id);
      },
      { ...room, body: UpdateRoom },
    )
    .delete(
      "/api/rooms/:id",
      async ({ actor, params, set }) => {
        await deleteRoom(db, actor.id, params.id);
        set.status = 204;
      },
      room,
    )
    .post(
      "/api/rooms/:id/join",
      async ({ actor, params }) => {
        await joinRoom(db, actor.id, params.id);
        return getRoom(db, actor.id, params.id);
      },
      room,
    )
    .post(
      "/api/rooms/:id/leave",
      async ({ actor, params, set }) => {
        await leaveRoom(db, actor.id, params.id);
        set.status = 204;
      },
      room,
    )
    .post(
      "/api/rooms/:id/transfer",
      async ({ actor, params, body }) => {
        await transferRoom(db, actor.id, params.id, body.user_id);
        return getRoom(db, actor.id, params.id);
      },
      { ...room, body: TransferRoom },
    )
    .post(
      "/api/rooms/:id/read",
      ({ actor, params, body }) => markRead(sql, actor.id, params.id, body?.message_id ?? null),
      { ...room, body: t.Optional(MarkRead) },
    )
    .patch(
      "/api/rooms/:id/membership",
      ({ actor, params, body }) => updateMembership(db, actor.id, params.id, body),
      { ...room, body: UpdateMembership },
    )
    .get(
      "/api/rooms/:id/members",
      ({ actor, params, query }) => listMembers(db, actor.id, params.id, query),
      { ...room, query: PageQuery },
    )
    .post(
      "/api/rooms/:id/members",
      async ({ actor, params, body, set }) => {
        const added = await addMember(db, actor.id, params.id, body);
        set.status = 201;
        return added;
      },
      { ...room, body: AddMember },
    )
    .patch(
      "/api/rooms/:id/members/:user_id",
      ({ actor, params, body }) => changeRole(db, actor.id, params.id, params.user_id, body.role),
      { ...member, body: ChangeRole },
    )
    .delete(
      "/api/rooms/:id/members/:user_id",
      async ({ actor, params, set }) => {
        await removeMember(db, actor.id, params.id, params.user_id);
        set.status = 204;
      },
      member,
    );
}
