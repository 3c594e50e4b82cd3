import type { RoomEvent, UnreadChangedEvent, UnreadEvent } from "../wire/events.ts";
import type { DirectLogRow } from "./direct-statements.ts";

/** The part of an entry of a conversation's log that is delivered. */
export type Entry = Pick<DirectLogRow, "seq" | "type" | "message_id" | "author_id" | "created_at">;

export function toEntry(event: RoomEvent): Entry {
  const { type, seq } = event;
  const none = { seq, type, message_id: null, author_id: null, created_at: null };
  switch (event.type) {
    case "message": {
      const { id, author, created_at } = event.message;
      return { ...none, message_id: id, author_id: author.id, created_at: new Date(created_at) };
    }
    case "message_update":
      return { ...none, message_id: event.message.id };
    case "message_delete": {
      const { message_id, created_at } = event;
      return { ...none, message_id, created_at: created_at ? new Date(created_at) : null };
    }
    default:
      return none;
  }
}

/** Whether an entry may change who is in the conversation, or make it a room. */
export function changesMembers({ type }: Entry): boolean {
  return type === "member_added" || type === "member_removed" || type === "room_updated";
}

/** What a member who does not have the conversation open receives of an entry; null for nothing. */
export function toAwayEvent(
  roomId: string,
  { seq, type, message_id, author_id, created_at }: Entry,
  userId: string,
): UnreadEvent | UnreadChangedEvent | null {
  if (type === "message" && message_id && author_id && created_at) {
    return {
      ...{ type: "unread", kind: "direct", room_id: roomId, message_id, author_id },
      ...{ created_at: created_at.toISOString(), seq, mention: userId !== author_id },
      // There are no threads in conversations.
      thread_id: null,
    };
  }
  // A new message without its author was deleted before this was read.
  if (
    (type === "message" || type === "message_update" || type === "message_delete") &&
    message_id
  ) {
    return {
      ...{ type: "unread_changed", kind: "direct", room_id: roomId, room_seq: seq },
      ...{ message_id, is_deleted: type !== "message_update" },
      ...(created_at && { created_at: created_at.toISOString() }),
    };
  }
  return null;
}
