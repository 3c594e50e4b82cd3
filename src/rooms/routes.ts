import { Type as t } from "@sinclair/typebox";
import type { Database } from "../database/connect.ts";
import type { Actor } from "../routing/actor.ts";
import { route } from "../routing/route.ts";
import { Direct, Member, MyRoom, Page, Person, ReadMark, RoomReadMark } from "../wire/models.ts";
import { MembersQuery, RoomsQuery, BrowseQuery } from "../wire/queries.ts";
import {
  AddMember,
  ChangeRole,
  CreateRoom,
  MarkRead,
  MarkUnread,
  TransferRoom,
  UpdateMembership,
  UpdateRoom,
} from "../wire/requests.ts";
import { createRoom, updateRoom } from "./change.ts";
import { deleteRoom } from "./delete.ts";
import {
  addMember,
  changeRole,
  joinRoom,
  leaveRoom,
  listMembers,
  removeMember,
} from "./members.ts";
import { updateMembership } from "./membership.ts";
import { transferRoom } from "./ownership.ts";
import { readPerson } from "./read-person.ts";
import { toCallersRoom } from "./newest-pin.ts";
import { browseRooms, listRooms, RoomLists } from "./read.ts";
import { markAllRead, markRead, markUnread } from "./read-mark.ts";
import { requireRoom } from "./viewers-rooms.ts";

export const personRoutes = ({ sql }: Database) => [
  route("GET /api/users/:id", {
    access: "signed-in",
    summary: "Get someone, whether they are online, their time zone, and the rooms you share",
    responses: { 200: Person },
    errors: ["not_found"],
    handler: ({ actor, params }) => readPerson(sql, actor.id, params.id),
  }),
];

export const roomRoutes = (database: Database) => {
  const { db, sql } = database;
  const lists = new RoomLists(sql);
  const readRoom = async (actor: Actor, id: string) =>
    toCallersRoom(actor, await requireRoom(sql, actor.id, id));
  return [
    route("GET /api/rooms", {
      access: "signed-in",
      summary: "List the caller's rooms",
      query: RoomsQuery,
      responses: { 200: Page(MyRoom) },
      handler: ({ actor, query }) => listRooms(lists, actor, query),
    }),
    route("GET /api/rooms/browse", {
      access: "signed-in",
      summary: "List open rooms that are not archived",
      query: BrowseQuery,
      responses: { 200: Page(MyRoom) },
      handler: ({ actor, query }) => browseRooms(sql, actor, query),
    }),
    route("POST /api/rooms", {
      access: "signed-in",
      summary: "Create a room that the caller owns",
      body: CreateRoom,
      responses: { 201: MyRoom },
      errors: ["room_name_taken"],
      handler: async ({ actor, body }) => readRoom(actor, await createRoom(db, actor.id, body)),
    }),
    route("POST /api/rooms/read", {
      access: "signed-in",
      summary: "Mark all rooms of the caller read",
      responses: { 200: t.Object({ items: t.Array(RoomReadMark) }) },
      handler: async ({ actor }) => ({ items: await markAllRead(sql, actor.id) }),
    }),
    route("GET /api/rooms/:id", {
      access: "signed-in",
      room: "see",
      summary: "Get a room",
      responses: { 200: MyRoom },
      handler: ({ actor, params }) => readRoom(actor, params.id),
    }),
    route("PATCH /api/rooms/:id", {
      access: "signed-in",
      room: "admin",
      summary: "Rename a room, describe it, make it open or private, choose who pins in it",
      body: UpdateRoom,
      responses: { 200: MyRoom },
      errors: ["room_name_taken", "was_conversation"],
      async handler({ actor, params, body }) {
        await updateRoom(db, actor.id, params.id, body);
        return readRoom(actor, params.id);
      },
    }),
    route("DELETE /api/rooms/:id", {
      access: "signed-in",
      room: "owner",
      summary: "Delete a room and everything in it",
      responses: { 204: null },
      errors: ["was_conversation"],
      handler: ({ actor, params }) => deleteRoom(db, actor.id, params.id),
    }),
    route("POST /api/rooms/:id/join", {
      access: "signed-in",
      room: "see",
      summary: "Join an open room",
      responses: { 200: MyRoom },
      errors: ["room_archived"],
      async handler({ actor, params }) {
        await joinRoom(db, actor.id, params.id);
        return readRoom(actor, params.id);
      },
    }),
    route("POST /api/rooms/:id/leave", {
      access: "signed-in",
      room: "member",
      summary: "Leave a room",
      responses: { 204: null },
      errors: ["owner_cannot_leave"],
      handler: ({ actor, params }) => leaveRoom(db, actor.id, params.id),
    }),
    route("POST /api/rooms/:id/transfer", {
      access: "signed-in",
      room: "owner",
      summary: "Make another member the owner",
      body: TransferRoom,
      responses: { 200: MyRoom },
      errors: ["member_not_found", "unknown_user"],
      async handler({ actor, params, body }) {
        await transferRoom(db, actor.id, params.id, body.user_id);
        return readRoom(actor, params.id);
      },
    }),
    route("POST /api/rooms/:id/read", {
      access: "signed-in",
      room: "member",
      summary: "Mark a room read, up to a message or up to now",
      body: t.Optional(MarkRead),
      responses: { 200: ReadMark },
      errors: ["message_not_found"],
      handler: ({ actor, params, body }) =>
        markRead(sql, actor.id, params.id, body?.message_id ?? null),
    }),
    route("POST /api/rooms/:id/unread", {
      access: "signed-in",
      room: "member",
      summary: "Mark a room unread from a message on",
      description: "The mark goes back to just before that message; it never moves forward.",
      body: MarkUnread,
      responses: { 200: ReadMark },
      errors: ["message_not_found"],
      handler: ({ actor, params, body }) => markUnread(sql, actor.id, params.id, body.message_id),
    }),
    route("PATCH /api/rooms/:id/membership", {
      access: "signed-in",
      room: "member",
      summary:
        "Choose which messages of a room are pushed to the caller, and whether it is a favourite",
      body: UpdateMembership,
      responses: { 200: t.Union([MyRoom, Direct]) },
      handler: async ({ actor, params, body }) =>
        toCallersRoom(actor, await updateMembership(database, actor.id, params.id, body)),
    }),
    route("GET /api/rooms/:id/members", {
      access: "signed-in",
      room: "member",
      summary: "List a room's members and whether each is online",
      query: MembersQuery,
      responses: { 200: Page(Member) },
      handler: ({ actor, params, query }) => listMembers(sql, actor.id, params.id, query),
    }),
    route("POST /api/rooms/:id/members", {
      access: "signed-in",
      room: "admin",
      summary: "Add someone to a room",
      body: AddMember,
      responses: { 201: Member },
      errors: ["unknown_user", "already_a_member", "room_archived", "not_for_bots"],
      handler: ({ actor, params, body }) => addMember(db, actor.id, params.id, body),
    }),
    route("PATCH /api/rooms/:id/members/:user_id", {
      access: "signed-in",
      room: "admin",
      summary: "Change a member's role",
      body: ChangeRole,
      responses: { 200: Member },
      errors: ["member_not_found", "owner_role_fixed"],
      handler: ({ actor, params, body }) =>
        changeRole(db, actor.id, params.id, params.user_id, body.role),
    }),
    route("DELETE /api/rooms/:id/members/:user_id", {
      access: "signed-in",
      room: "admin",
      summary: "Remove a member, or leave",
      responses: { 204: null },
      errors: ["member_not_found", "owner_cannot_leave"],
      handler: ({ actor, params }) => removeMember(db, actor.id, params.id, params.user_id),
    }),
  ];
};
