import { and, eq } from "drizzle-orm";
import type { Drizzle, HandSql } from "../database/connect.ts";
import { memberships } from "../database/schema.ts";
import { signalInStatement } from "../feed/signals.ts";
import { Refusal } from "../platform/refusal.ts";
import type { MyRoom, Notify } from "../wire/models.ts";
import { checkSeat, getSeat } from "./access.ts";
import { getRoom } from "./read.ts";

/**
 * Moves the caller's read mark to a message, or to now; never backwards.
 * @throws Refusal of `getSeat`; `message_not_found`
 */
export async function markRead(
  sql: HandSql,
  userId: string,
  roomId: string,
  messageId: string | null,
): Promise<{ last_read_at: string }> {
  await checkSeat(sql, userId, roomId, "member");
  const fields = sql`'user_id', ${userId}::text, 'room_id', ${roomId}::text, 'last_read_at',
    to_char(last_read_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const [row] = await sql<{ last_read_at: Date }[]>`
    with mark as (
      select seq, created_at as at from messages
      where id = ${messageId}::uuid and room_id = ${roomId}
      union all
      select last_seq, clock_timestamp() from rooms
      where id = ${roomId} and ${messageId}::uuid is null
    ), marked as (
      update memberships set
        last_read_at = greatest(last_read_at, mark.at),
        last_read_seq = greatest(last_read_seq, mark.seq)
      from mark where room_id = ${roomId} and user_id = ${userId}
      returning last_read_at
    )
    select last_read_at, ${signalInStatement(sql, "read", fields)}
    from marked`;
  if (!row) throw new Refusal("message_not_found", "There is no such message in this room.");
  return { last_read_at: row.last_read_at.toISOString() };
}

/** Changes what is pushed to the caller from this room. */
export async function updateMembership(
  db: Drizzle,
  userId: string,
  roomId: string,
  given: { notify?: Notify },
): Promise<MyRoom> {
  await getSeat(db, userId, roomId, "member");
  if (given.notify) {
    await db
      .update(memberships)
      .set({ notify: given.notify })
      .where(and(eq(memberships.roomId, roomId), eq(memberships.userId, userId)));
  }
  return getRoom(db, userId, roomId);
}
