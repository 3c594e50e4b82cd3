import { and, eq, sql } from "drizzle-orm";
import type { Database, SqlClient } from "../database/connect.ts";
import { memberships } from "../database/schema.ts";
import { notifyInstances } from "../feed/signals.ts";
import { makeInvalid, Refusal } from "../platform/refusal.ts";
import type { Direct, MyRoom, ReadMark, RoomReadMark } from "../wire/models.ts";
import type { UpdateMembership } from "../wire/requests.ts";
import { checkSeat } from "./access.ts";
import { requireDirect } from "./direct/read.ts";
import { requireRoom } from "./read.ts";
import { notifyMembership } from "./membership.ts";
import { moveAllReadMarks, moveReadMark, moveReadMarkBack } from "./statements.ts";

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

/**
 * Moves the caller's read mark back to just before a message; one that is further back stays.
 * @throws Refusal of `checkSeat`; `message_not_found`
 */
export async function markUnread(
  sql: SqlClient,
  userId: string,
  roomId: string,
  messageId: string,
): Promise<ReadMark> {
  await checkSeat(sql, userId, roomId, "member");
  const mark = await moveReadMarkBack(sql, userId, roomId, messageId);
  if (!mark) throw new Refusal("message_not_found", "There is no such message in this room.");
  return mark;
}

/**
 * Marks all rooms of the caller read.
 * @returns the marks that moved
 */
export async function markAllRead(sql: SqlClient, userId: string): Promise<RoomReadMark[]> {
  const rows = await moveAllReadMarks(sql, userId);
  return rows.map(({ room_id, mark }) => ({ room_id, ...mark }));
}

/**
 * Changes what is pushed to the caller from a room or conversation, whether it is one of the caller's
 * favourites, and whether a conversation is hidden.
 * @throws Refusal of `checkSeat`; `validation` for hiding a room
 */
export async function updateMembership(
  { db, sql: client }: Database,
  userId: string,
  roomId: string,
  { notify, thread_push, pinned, hidden }: UpdateMembership,
): Promise<MyRoom | Direct> {
  const { kind } = await checkSeat(client, userId, roomId, "member");
  if (hidden !== undefined && kind === "room") {
    throw makeInvalid(
      "/hidden",
      "Only a direct conversation can be hidden. Leave the room instead.",
    );
  }
  if ([notify, thread_push, pinned, hidden].some((value) => value !== undefined)) {
    // A favourite that is pinned again keeps its time.
    const now = sql`coalesce(${memberships.pinnedAt}, clock_timestamp())`;
    const values = {
      notify,
      threadPush: thread_push,
      pinnedAt: pinned === false ? null : pinned && now,
      hiddenAt: hidden === false ? null : hidden && sql`clock_timestamp()`,
    };
    await db.transaction(async (tx) => {
      await tx
        .update(memberships)
        .set(values)
        .where(and(eq(memberships.roomId, roomId), eq(memberships.userId, userId)));
      if (kind === "room") await notifyMembership(tx, roomId, userId);
      else
        await notifyInstances(tx, { kind: "direct_updated", room_id: roomId, user_ids: [userId] });
    });
  }
  return (kind === "room" ? requireRoom : requireDirect)(client, userId, roomId);
}
