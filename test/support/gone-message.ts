import { FEED_CHANNEL } from "../../src/feed/channels.ts";
import type { World } from "./world.ts";

/**
 * A message that was deleted before anything read of it: the room's log and its time of the last message have
 * it, and instances are notified as of any other.
 * @returns its id, when it was written, and its number
 */
export async function sayAndDelete(
  { database: { sql } }: World,
  roomId: string,
): Promise<{ id: string; created_at: string; seq: number }> {
  const id = Bun.randomUUIDv7();
  const [row] = await sql<{ seq: number; at: Date }[]>`
    with room as (
      update rooms set last_seq = last_seq + 1, last_message_at = clock_timestamp()::timestamptz(3)
      where id = ${roomId} returning last_seq, last_message_at
    ), logged as (
      insert into room_log (room_id, seq, type, message_id, created_at)
      select ${roomId}::uuid, last_seq, 'message', ${id}::uuid, last_message_at from room
    )
    select last_seq as seq, last_message_at as at,
      pg_notify(${FEED_CHANNEL}, '- ' || ${roomId}::text || ':' || last_seq) from room`;
  if (!row) throw new Error("sayAndDelete: there is no such room");
  return { id, created_at: row.at.toISOString(), seq: row.seq };
}
