import { Type as t } from "@sinclair/typebox";
import type { Code } from "../../wire/codes.ts";
import { RoomEvent } from "../../wire/events.ts";
import { File, History, Image, Message, Reaction } from "../../wire/models.ts";
import type { Media, Operations } from "../operation.ts";

const INSIDE: Code[] = ["room_not_found", "not_a_member"];
const OF_MESSAGE: Code[] = ["message_not_found", "not_a_member"];
const FILE: Media = { media: "application/octet-stream", description: "The bytes" };
const IMAGE: Media = { media: "image/*", description: "The image" };

export const MESSAGES: Operations = {
  "GET /api/rooms/:id/messages": {
    summary: "A page of a room's history, the oldest first",
    description:
      "The newest; or what lies before, after or around a message; or around the first message at or after a time. With more than one of these it is 422.",
    answers: { 200: History },
    errors: [...INSIDE, "message_not_found"],
  },
  "GET /api/rooms/:id/changes": {
    summary: "All that happened in a room after a number, as the WebSocket tells it",
    answers: {
      200: t.Object({ items: t.Array(RoomEvent), seq: t.Integer(), has_more: t.Boolean() }),
    },
    errors: [...INSIDE, "seq_gone"],
  },
  "POST /api/rooms/:id/messages": {
    summary: "Post a message",
    description: "With a `client_id` that is known it answers with the first message, and 200.",
    answers: { 200: Message, 201: Message },
    errors: [...INSIDE, "room_archived", "empty_message", "unknown_upload"],
  },
  "GET /api/messages/:id": {
    summary: "One message",
    answers: { 200: Message },
    errors: OF_MESSAGE,
  },
  "PATCH /api/messages/:id": {
    summary: "Edit one's own message",
    answers: { 200: Message },
    errors: [...OF_MESSAGE, "not_author", "room_archived", "empty_message"],
  },
  "DELETE /api/messages/:id": {
    summary: "Delete a message: its author, or the room's owner and admins",
    answers: { 204: null },
    errors: [...OF_MESSAGE, "role_required"],
  },
  "POST /api/messages/:id/reactions": {
    summary: "Put an emoji on a message, or take it back",
    answers: { 200: t.Object({ reactions: t.Array(Reaction), active: t.Boolean() }) },
    errors: [...OF_MESSAGE, "room_archived", "too_many_reactions"],
  },
  "GET /api/uploads/limit": {
    summary: "How large an upload may be now",
    answers: { 200: t.Object({ max_bytes: t.Integer() }) },
  },
  "POST /api/rooms/:id/images": {
    summary: "Upload an image for a message",
    answers: { 201: Image },
    errors: [...INSIDE, "room_archived", "too_large", "not_an_image", "image_too_big"],
    body: "file",
  },
  "POST /api/rooms/:id/files": {
    summary: "Upload a file for a message",
    answers: { 201: File },
    errors: [...INSIDE, "room_archived", "too_large"],
    body: "file",
  },
  "GET /api/rooms/:id/images/:sha256": {
    summary: "An image, or its small one",
    answers: { 200: IMAGE, 304: null },
    errors: [...INSIDE, "not_found"],
  },
  "GET /api/rooms/:id/files/:file_id": {
    summary: "A file, whole or a range of it",
    answers: { 200: FILE, 206: FILE, 304: null },
    errors: [...INSIDE, "not_found", "range_not_satisfiable"],
  },
  "GET /api/previews/:sha256": {
    summary: "The picture of a link's preview",
    answers: { 200: IMAGE, 304: null },
    errors: ["not_found"],
  },
};
