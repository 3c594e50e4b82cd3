import { Type as t } from "@sinclair/typebox";
import type { Code } from "../../wire/codes.ts";
import { Member, MyRoom, Page, Timestamp } from "../../wire/models.ts";
import type { Operations } from "../operation.ts";

const HIDDEN: Code[] = ["room_not_found"];
const INSIDE: Code[] = [...HIDDEN, "not_a_member"];
const BY_ROLE: Code[] = [...INSIDE, "role_required"];

export const ROOMS: Operations = {
  "GET /api/rooms": { summary: "The caller's rooms", answers: { 200: Page(MyRoom) } },
  "GET /api/rooms/browse": {
    summary: "Open rooms that are not archived",
    answers: { 200: Page(MyRoom) },
  },
  "POST /api/rooms": {
    summary: "Create a room that the caller owns",
    answers: { 201: MyRoom },
    errors: ["room_name_taken"],
  },
  "GET /api/rooms/:id": { summary: "One room", answers: { 200: MyRoom }, errors: HIDDEN },
  "PATCH /api/rooms/:id": {
    summary: "Rename a room, describe it, open or close it",
    answers: { 200: MyRoom },
    errors: [...BY_ROLE, "room_name_taken"],
  },
  "DELETE /api/rooms/:id": {
    summary: "Delete a room with all that is in it",
    answers: { 204: null },
    errors: BY_ROLE,
  },
  "POST /api/rooms/:id/join": {
    summary: "Join an open room",
    answers: { 200: MyRoom },
    errors: [...HIDDEN, "room_archived"],
  },
  "POST /api/rooms/:id/leave": {
    summary: "Leave a room",
    answers: { 204: null },
    errors: [...INSIDE, "owner_cannot_leave"],
  },
  "POST /api/rooms/:id/transfer": {
    summary: "Make another member the owner",
    answers: { 200: MyRoom },
    errors: [...BY_ROLE, "member_not_found", "unknown_user"],
  },
  "POST /api/rooms/:id/read": {
    summary: "Mark a room read, up to a message or to now",
    answers: { 200: t.Object({ last_read_at: Timestamp }) },
    errors: [...INSIDE, "message_not_found"],
  },
  "PATCH /api/rooms/:id/membership": {
    summary: "Say what of a room is pushed to one's devices",
    answers: { 200: MyRoom },
    errors: INSIDE,
  },
  "GET /api/rooms/:id/members": {
    summary: "Who is in a room, and who of them is online",
    answers: { 200: Page(Member) },
    errors: INSIDE,
  },
  "POST /api/rooms/:id/members": {
    summary: "Add someone to a room",
    answers: { 201: Member },
    errors: [...BY_ROLE, "unknown_user", "already_a_member", "room_archived"],
  },
  "PATCH /api/rooms/:id/members/:user_id": {
    summary: "Change a member's role",
    answers: { 200: Member },
    errors: [...BY_ROLE, "member_not_found", "owner_role_fixed"],
  },
  "DELETE /api/rooms/:id/members/:user_id": {
    summary: "Remove a member, or leave",
    answers: { 204: null },
    errors: [...BY_ROLE, "member_not_found", "owner_cannot_leave"],
  },
};
