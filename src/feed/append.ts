import { sql } from "drizzle-orm";
import type { Transaction } from "../database/connect.ts";
import type { RoomEventType } from "../wire/events.ts";
import { FEED_CHANNEL } from "./channels.ts";

/** An entry of a room's log: what happened to which message or user, and which user did it. */
type LogEntry = {
  type: RoomEventType;
  messageId?: string;
  userId?: string;
  actorId?: string | null;
};

/**
 * Appends an event to a room's log with the room's next number, under the lock of the room's row. At the commit
 * all instances are notified, and publish it from the log.
 * @returns the event's number
 */
export async function appendEvent(
  tx: Transaction,
  roomId: string,
  entry: LogEntry,
): Promise<number> {
  const rows = await tx.execute<{ seq: string }>(sql`
    with room as (
      update rooms set last_seq = last_seq + 1 where id = ${roomId} returning id, last_seq, kind
    ), entry as (
      insert into room_log (room_id, seq, type, message_id, user_id, actor_id)
      select id, last_seq, ${entry.type}::text, ${entry.messageId ?? null}::uuid,
        ${entry.userId ?? null}::uuid, ${entry.actorId ?? null}::uuid
      from room
    )
    select last_seq as seq, pg_notify(${FEED_CHANNEL}, '- ' || id || ':' || last_seq || ':' || kind)
    from room`);
  const seq = rows[0]?.seq;
  if (seq === undefined) throw new Error("appendEvent: there is no such room");
  return Number(seq);
}
