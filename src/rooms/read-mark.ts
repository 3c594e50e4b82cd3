import { and, eq, sql } from "drizzle-orm";
import type { Database, SqlClient } from "../database/connect.ts";
import { memberships } from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
import type { MyRoom, ReadMark } from "../wire/models.ts";
import type { UpdateMembership } from "../wire/requests.ts";
import { checkSeat } from "./access.ts";
import { getRoom } from "./read.ts";
import { notifyMembership } from "./membership.ts";
import { moveReadMark } from "./statements.ts";

/**
 * Moves the caller's read mark forward, to a message or to the room's end.
 * @throws Refusal of `checkSeat`; `message_not_found`
 */
export async function markRead(
  sql: SqlClient,
  userId: string,
  roomId: string,
  messageId: string | null,
): Promise<ReadMark> {
  await checkSeat(sql, userId, roomId, "member");
  const mark = await moveReadMark(sql, userId, roomId, messageId);
  if (!mark) throw new Refusal("message_not_found", "There is no such message in this room.");
  return mark;
}

/** Changes what is pushed to the caller from a room, and whether it is one of the caller's favourites. */
export async function updateMembership(
  { db, sql: client }: Database,
  userId: string,
  roomId: string,
  { notify, pinned }: UpdateMembership,
): Promise<MyRoom> {
  await checkSeat(client, userId, roomId, "member");
  if (notify !== undefined || pinned !== undefined) {
    // A favourite that is pinned again keeps its time.
    const now = sql`coalesce(${memberships.pinnedAt}, clock_timestamp())`;
    const values = { notify, pinnedAt: pinned === false ? null : pinned && now };
    await db.transaction(async (tx) => {
      await tx
        .update(memberships)
        .set(values)
        .where(and(eq(memberships.roomId, roomId), eq(memberships.userId, userId)));
      await notifyMembership(tx, roomId, userId);
    });
  }
  return getRoom(client, userId, roomId);
}
