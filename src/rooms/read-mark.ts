import { and, eq } from "drizzle-orm";
import type { Drizzle, SqlClient } from "../database/connect.ts";
import { memberships } from "../database/schema.ts";
import { notifyInStatement } from "../feed/signals.ts";
import { Refusal } from "../platform/refusal.ts";
import type { MyRoom, Notify, ReadMark } from "../wire/models.ts";
import { checkSeat, getSeat } from "./access.ts";
import { getRoom } from "./read.ts";
import { signalMembership } from "./membership.ts";
import { MENTION_COUNT, UNREAD } from "./unread.ts";

/**
 * Moves the caller's read mark to a message, or to now; never backwards.
 * @throws Refusal of `getSeat`; `message_not_found`
 */
export async function markRead(
  sql: SqlClient,
  userId: string,
  roomId: string,
  messageId: string | null,
): Promise<ReadMark> {
  await checkSeat(sql, userId, roomId, "member");
  const fields = sql`'user_id', ${userId}::text, 'room_id', ${roomId}::text, 'mark', mark`;
  const [row] = await sql<{ mark: ReadMark }[]>`
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
      returning room_id, user_id, last_read_at, last_read_seq, version
    ), read as (
      select json_build_object(
        'last_read_at', to_char(last_read_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'last_read_seq', last_read_seq, 'unread', ${sql.unsafe(UNREAD)},
        'mention_count', ${sql.unsafe(MENTION_COUNT)}, 'version', version,
        'room_seq', (select last_seq from rooms where id = ${roomId})
      ) as mark from marked as memberships
    )
    select mark, ${notifyInStatement(sql, "read", fields)} from read`;
  if (!row) throw new Refusal("message_not_found", "There is no such message in this room.");
  return row.mark;
}

/** Changes what is pushed to the caller from this room. */
export async function updateMembership(
  db: Drizzle,
  userId: string,
  roomId: string,
  given: { notify?: Notify },
): Promise<MyRoom> {
  await getSeat(db, userId, roomId, "member");
  const { notify } = given;
  if (notify) {
    await db.transaction(async (tx) => {
      await tx
        .update(memberships)
        .set({ notify })
        .where(and(eq(memberships.roomId, roomId), eq(memberships.userId, userId)));
      await signalMembership(tx, roomId, userId);
    });
  }
  return getRoom(db, userId, roomId);
}
