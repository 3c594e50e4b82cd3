import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { Database, Drizzle, Transaction } from "../database/connect.ts";
import {
  drafts,
  incomingWebhooks,
  inviteRooms,
  memberships,
  messages,
  messageSearch,
  NO_THREAD,
  outgoingWebhooks,
  roomLog,
  rooms,
  scheduledMessages,
  sectionRooms,
} from "../database/schema.ts";
import { IDS_PER_SIGNAL, notifyInstances, type Signal } from "../feed/signals.ts";
import { enqueueJob } from "../jobs-queue/enqueue.ts";
import { lockMembership, type RoomRow } from "./access.ts";
import { refuseFormerConversation } from "./refusals.ts";

/** Rows deleted per statement, to keep statements short. */
const BATCH = 1_000;

/**
 * Deletes the rows of a deleted room, which is already hidden. An attempt continues where the previous one was
 * aborted. The arrays of keys make PostgreSQL use the indexes; `in (select … limit)` may become a join.
 */
export async function deleteRoomRows(
  { db, sql: client }: Database,
  roomId: string,
  signal: AbortSignal,
): Promise<void> {
  const isThis = and(eq(rooms.id, roomId), isNotNull(rooms.deletedAt));
  const [room] = await db.select({ id: rooms.id }).from(rooms).where(isThis);
  if (!room) return;
  const deletions = [
    () => client`
      with batch as materialized (
        select id from messages where room_id = ${roomId} order by seq limit ${BATCH}
      ), index_rows as (
        delete from message_search where message_id = any(array(select id from batch))
      )
      delete from messages where id = any(array(select id from batch))`,
    () => client`
      delete from room_log where room_id = ${roomId} and seq = any(array(
        select seq from room_log where room_id = ${roomId} order by seq limit ${BATCH}))`,
    () => client`
      delete from webhook_deliveries where id = any(array(
        select d.id from outgoing_webhooks w join webhook_deliveries d on d.hook_id = w.id
        where w.room_id = ${roomId} limit ${BATCH}))`,
  ];
  for (const deleteBatch of deletions) {
    while (!signal.aborted && (await deleteBatch()).count === BATCH);
  }
  // Foreign keys delete the rows of uploads; a separate job deletes unreferenced blobs.
  if (!signal.aborted) await db.delete(rooms).where(isThis);
}

/** A job deletes the rows of a room with a longer log. */
const MAX_DELETED_AT_ONCE = 1_000;

/**
 * Deletes a room with everything in it. It disappears for everyone at once; a job deletes the rows of a large
 * room afterwards.
 * @throws Refusal of `lockMembership`; `was_conversation`
 */
export function deleteRoom(db: Drizzle, userId: string, roomId: string): Promise<void> {
  return db.transaction(async (tx) => {
    const { room } = await lockMembership(tx, userId, roomId, "owner");
    await deleteLockedRoom(tx, room);
  });
}

/**
 * Deletes a room whose lock the caller holds.
 * @throws Refusal `was_conversation`
 */
export async function deleteLockedRoom(tx: Transaction, room: RoomRow): Promise<void> {
  refuseFormerConversation(room, "delete");
  const roomId = room.id;
  await deleteDrafts(tx, roomId);
  if (room.lastSeq <= MAX_DELETED_AT_ONCE) {
    const ids = tx.select({ id: messages.id }).from(messages).where(eq(messages.roomId, roomId));
    await tx.delete(messageSearch).where(inArray(messageSearch.messageId, ids));
    await tx.delete(rooms).where(eq(rooms.id, roomId));
    await tx.delete(roomLog).where(eq(roomLog.roomId, roomId));
  } else {
    await hideDeletedRoom(tx, roomId);
  }
  // After the memberships, because saving a section locks in this order.
  await tx.delete(sectionRooms).where(eq(sectionRooms.roomId, roomId));
  await notifyInstances(tx, { kind: "room_deleted", room_id: roomId });
}

/** Deletes the drafts and scheduled messages of a room, and notifies their owners. */
async function deleteDrafts(tx: Transaction, roomId: string): Promise<void> {
  const scheduledRows = await tx
    .delete(scheduledMessages)
    .where(eq(scheduledMessages.roomId, roomId))
    .returning({ id: scheduledMessages.id, user_id: scheduledMessages.userId });
  const unsent = await tx
    .delete(drafts)
    .where(eq(drafts.roomId, roomId))
    .returning({ user_id: drafts.userId, thread_id: drafts.threadId });
  const byUser = Map.groupBy(scheduledRows, (row) => row.user_id);
  // A user has at most a hundred scheduled messages, which fit into one signal.
  const scheduledSignals = [...byUser].map(([user_id, rows]): Signal => {
    const ids = rows.slice(0, IDS_PER_SIGNAL).map(({ id }) => id);
    return { kind: "scheduled_changed", user_id, ids };
  });
  const draftSignals = unsent.map(({ user_id, thread_id }): Signal => {
    const location = { room_id: roomId, thread_id: thread_id === NO_THREAD ? null : thread_id };
    return { kind: "draft_changed", user_id, ...location };
  });
  await notifyInstances(tx, ...scheduledSignals, ...draftSignals);
}

/** Removes everything by which a room can be found: members, webhooks, invites, its name. */
async function hideDeletedRoom(tx: Transaction, roomId: string): Promise<void> {
  await tx.delete(memberships).where(eq(memberships.roomId, roomId));
  await tx.delete(incomingWebhooks).where(eq(incomingWebhooks.roomId, roomId));
  await tx.delete(inviteRooms).where(eq(inviteRooms.roomId, roomId));
  await tx
    .update(outgoingWebhooks)
    .set({ isActive: false })
    .where(eq(outgoingWebhooks.roomId, roomId));
  await tx
    .update(rooms)
    .set({
      name: `deleted-${Bun.randomUUIDv7().replaceAll("-", "")}`,
      privacy: "private",
      isArchived: true,
      isDefault: false,
      deletedAt: sql`clock_timestamp()`,
    })
    .where(eq(rooms.id, roomId));
  await enqueueJob(tx, { kind: "delete_room", payload: { roomId } });
}
