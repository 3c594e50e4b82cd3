import { Type as t } from "@sinclair/typebox";
import type { Database } from "../database/connect.ts";
import { type Actor, mayReadMessages } from "../routing/actor.ts";
import { jsonText, route } from "../routing/route.ts";
import { Direct, Member, MyRoom, Page, ReadMark, RoomReadMark } from "../wire/models.ts";
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
import { createRoom, deleteRoom, updateRoom } from "./change.ts";
import { addMember, changeRole, joinRoom, leaveRoom, removeMember } from "./members.ts";
import { listMembers } from "./list-members.ts";
import { transferRoom } from "./ownership.ts";
import { browseRooms, listRooms } from "./lists.ts";
import { toCallersRoom } from "./newest-pin.ts";
import { requireRoom } from "./read.ts";
import { markAllRead, markRead, markUnread, updateMembership } from "./read-mark.ts";
import { RoomTexts } from "./room-texts.ts";

/** Rooms, and what the caller is in them. */
export const roomRoutes = (database: Database) => {
  const { db, sql } = database;
  const allTexts = new RoomTexts(sql);
  const textsWithoutPins = new RoomTexts(sql, true);
  const textsFor = (actor: Actor) => (mayReadMessages(actor) ? allTexts : textsWithoutPins);
  const readRoom = async (actor: Actor, id: string) =>
    toCallersRoom(actor, await requireRoom(sql, actor.id, id));
  return [
    route("GET /api/rooms", {
      access: "signed-in",
      summary: "List the caller's rooms",
      query: RoomsQuery,
      answers: { 200: Page(MyRoom) },
      run: async ({ actor, query }) => jsonText(await listRooms(textsFor(actor), actor.id, query)),
    }),
    route("GET /api/rooms/browse", {
      access: "signed-in",
      summary: "List open rooms that are not archived",
      query: BrowseQuery,
      answers: { 200: Page(MyRoom) },
      run: async ({ actor, query }) =>
        jsonText(await browseRooms(textsFor(actor), actor.id, query)),
    }),
    route("POST /api/rooms", {
      access: "signed-in",
      summary: "Create a room that the caller owns",
      body: CreateRoom,
      answers: { 201: MyRoom },
      errors: ["room_name_taken"],
      run: async ({ actor, body }) => readRoom(actor, await createRoom(db, actor.id, body)),
    }),
    route("POST /api/rooms/read", {
      access: "signed-in",
      summary: "Mark all rooms of the caller read",
      answers: { 200: t.Object({ items: t.Array(RoomReadMark) }) },
      run: async ({ actor }) => ({ items: await markAllRead(sql, actor.id) }),
    }),
    route("GET /api/rooms/:id", {
      access: "signed-in",
      room: "see",
      summary: "Get a room",
      answers: { 200: MyRoom },
      run: ({ actor, params }) => readRoom(actor, params.id),
    }),
    route("PATCH /api/rooms/:id", {
      access: "signed-in",
      room: "admin",
      summary: "Rename a room, describe it, make it open or private, choose who pins in it",
      body: UpdateRoom,
      answers: { 200: MyRoom },
      errors: ["room_name_taken"],
      async run({ actor, params, body }) {
        await updateRoom(db, actor.id, params.id, body);
        return readRoom(actor, params.id);
      },
    }),
    route("DELETE /api/rooms/:id", {
      access: "signed-in",
      room: "owner",
      summary: "Delete a room and everything in it",
      answers: { 204: null },
      run: ({ actor, params }) => deleteRoom(db, actor.id, params.id),
    }),
    route("POST /api/rooms/:id/join", {
      access: "signed-in",
      room: "see",
      summary: "Join an open room",
      answers: { 200: MyRoom },
      errors: ["room_archived"],
      async run({ actor, params }) {
        await joinRoom(db, actor.id, params.id);
        return readRoom(actor, params.id);
      },
    }),
    route("POST /api/rooms/:id/leave", {
      access: "signed-in",
      room: "member",
      summary: "Leave a room",
      answers: { 204: null },
      errors: ["owner_cannot_leave"],
      run: ({ actor, params }) => leaveRoom(db, actor.id, params.id),
    }),
    route("POST /api/rooms/:id/transfer", {
      access: "signed-in",
      room: "owner",
      summary: "Make another member the owner",
      body: TransferRoom,
      answers: { 200: MyRoom },
      errors: ["member_not_found", "unknown_user"],
      async run({ actor, params, body }) {
        await transferRoom(db, actor.id, params.id, body.user_id);
        return readRoom(actor, params.id);
      },
    }),
    route("POST /api/rooms/:id/read", {
      access: "signed-in",
      room: "member",
      summary: "Mark a room read, up to a message or up to now",
      body: t.Optional(MarkRead),
      answers: { 200: ReadMark },
      errors: ["message_not_found"],
      run: ({ actor, params, body }) =>
        markRead(sql, actor.id, params.id, body?.message_id ?? null),
    }),
    route("POST /api/rooms/:id/unread", {
      access: "signed-in",
      room: "member",
      summary: "Mark a room unread from a message on",
      description: "The mark goes back to just before that message; it never moves forward.",
      body: MarkUnread,
      answers: { 200: ReadMark },
      errors: ["message_not_found"],
      run: ({ actor, params, body }) => markUnread(sql, actor.id, params.id, body.message_id),
    }),
    route("PATCH /api/rooms/:id/membership", {
      access: "signed-in",
      room: "member",
      summary:
        "Choose which messages of a room are pushed to the caller, and whether it is a favourite",
      body: UpdateMembership,
      answers: { 200: t.Union([MyRoom, Direct]) },
      run: async ({ actor, params, body }) =>
        toCallersRoom(actor, await updateMembership(database, actor.id, params.id, body)),
    }),
    route("GET /api/rooms/:id/members", {
      access: "signed-in",
      room: "member",
      summary: "List a room's members, with who of them is online",
      query: MembersQuery,
      answers: { 200: Page(Member) },
      run: async ({ actor, params, query }) =>
        jsonText(await listMembers(sql, actor.id, params.id, query)),
    }),
    route("POST /api/rooms/:id/members", {
      access: "signed-in",
      room: "admin",
      summary: "Add someone to a room",
      body: AddMember,
      answers: { 201: Member },
      errors: ["unknown_user", "already_a_member", "room_archived"],
      run: ({ actor, params, body }) => addMember(db, actor.id, params.id, body),
    }),
    route("PATCH /api/rooms/:id/members/:user_id", {
      access: "signed-in",
      room: "admin",
      summary: "Change a member's role",
      body: ChangeRole,
      answers: { 200: Member },
      errors: ["member_not_found", "owner_role_fixed"],
      run: ({ actor, params, body }) =>
        changeRole(db, actor.id, params.id, params.user_id, body.role),
    }),
    route("DELETE /api/rooms/:id/members/:user_id", {
      access: "signed-in",
      room: "admin",
      summary: "Remove a member, or leave",
      answers: { 204: null },
      errors: ["member_not_found", "owner_cannot_leave"],
      run: ({ actor, params }) => removeMember(db, actor.id, params.id, params.user_id),
    }),
  ];
};
