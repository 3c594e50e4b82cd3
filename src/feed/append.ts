import { sql } from "drizzle-orm";
import type { Transaction } from "../database/connect.ts";
import type { RoomEventType } from "../wire/events.ts";
import { FEED_CHANNEL } from "./channels.ts";

/** One entry of a room's log: what happened, and to which message or user. */
export type LogEntry = { type: RoomEventType; messageId?: string; userId?: string };

/**
 * Writes what happened into the room's log, under the room's row lock, as its next number; every
 * instance, this one included, hears of it at the commit and publishes it from the log.
 * @returns the number taken
 */
export async function appendEvent(
  tx: Transaction,
  roomId: string,
  entry: LogEntry,
): Promise<number> {
  const rows = await tx.execute<{ seq: string }>(sql`
    with room as (
      update rooms set last_seq = last_seq + 1 where id = ${roomId} returning id, last_seq
    ), entry as (
      insert into room_log (room_id, seq, type, message_id, user_id)
      select id, last_seq, ${entry.type}::text, ${entry.messageId ?? null}::uuid,
        ${entry.userId ?? null}::uuid
      from room returning room_id, seq
    )
    select seq, pg_notify(${FEED_CHANNEL}, '- ' || room_id || ':' || seq) from entry`);
  const seq = rows[0]?.seq;
  if (seq === undefined) throw new Error("append: the room is gone");
  return Number(seq);
}
