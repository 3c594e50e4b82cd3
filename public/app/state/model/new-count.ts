import type { RoomEvent } from "../../../../src/wire/events.ts";
import { isAuthor, type NewCount, type RoomView } from "./model.ts";

/** The count after an event of the room; null where a deleted message may have been counted. */
export function countNew({ unread, messages }: RoomView, event: RoomEvent): NewCount | null {
  // The count already includes the events up to its number.
  if (!unread || event.seq <= unread.seq) return unread;
  const next = { ...unread, seq: event.seq };
  const { since, count, readerId: id } = unread;
  const me = id === undefined ? null : { id };
  if (event.type === "message") {
    return isAuthor(me, event.message) ? next : { ...next, count: count + 1 };
  }
  if (event.type !== "message_delete") return next;
  const deleted = messages.find((message) => message.id === event.message_id);
  if (!deleted) return null;
  return isAuthor(me, deleted) || deleted.created_at <= since
    ? next
    : { ...next, count: count - 1 };
}
