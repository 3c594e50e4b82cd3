import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { writeAudit, type AuditActor } from "../audit/write.ts";
import type { Drizzle, Transaction } from "../database/connect.ts";
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
} from "../database/schema.ts";
import { appendEvent } from "../feed/append.ts";
import { IDS_PER_SIGNAL, notifyInstances, type Signal } from "../feed/signals.ts";
import { enqueueJob } from "../jobs-queue/enqueue.ts";
import { cleanDescription } from "../platform/names.ts";
import { Refusal } from "../platform/refusal.ts";
import { MAX_ROOM_DESCRIPTION_LENGTH } from "../wire/limits.ts";
import type { CreateRoom, UpdateRoom } from "../wire/requests.ts";
import { lockSeat, type RoomRow } from "./access.ts";
import { addMembership, refuseDuplicateName } from "./membership.ts";

/**
 * Creates a room that the caller owns.
 * @returns its id
 * @throws Refusal `room_name_taken`
 */
export async function createRoom(
  db: Drizzle,
  ownerId: string,
  params: CreateRoom,
): Promise<string> {
  const id = Bun.randomUUIDv7();
  await db
    .transaction(async (tx) => {
      await tx.insert(rooms).values({
        id,
        name: params.name,
        privacy: params.privacy,
        description: parseDescription(params.description),
      });
      await addMembership(tx, id, ownerId, "owner", ownerId);
    })
    .catch((error) => refuseDuplicateName(error, params.name));
  return id;
}

/** Changes the fields that are present. @throws Refusal of `lockSeat`; `room_name_taken` */
export async function updateRoom(db: Drizzle, userId: string, roomId: string, params: UpdateRoom) {
  const values: Partial<RoomRow> = {};
  if (params.name !== undefined) values.name = params.name;
  if (params.privacy !== undefined) values.privacy = params.privacy;
  if (params.pinning !== undefined) values.pinning = params.pinning;
  if (params.threads !== undefined) values.threads = params.threads;
  if (params.description !== undefined) values.description = parseDescription(params.description);
  await db
    .transaction(async (tx) => {
      await lockSeat(tx, userId, roomId, "admin");
      if (Object.keys(values).length > 0) await changeRoom(tx, roomId, values);
    })
    .catch((error) => refuseDuplicateName(error, params.name ?? ""));
}

/** Changes fields of a room whose lock the caller holds, and announces it. */
export async function changeRoom(tx: Transaction, roomId: string, values: Partial<RoomRow>) {
  await tx.update(rooms).set(values).where(eq(rooms.id, roomId));
  await appendEvent(tx, roomId, { type: "room_updated" });
}

/** The rows of a room with more in its log are deleted by a job. */
const MAX_DELETED_AT_ONCE = 1_000;

/**
 * Deletes a room with everything in it. It disappears for everyone at once; the rows of a large room
 * are deleted by a job afterwards, so that nothing waits for them.
 */
export function deleteRoom(db: Drizzle, userId: string, roomId: string): Promise<void> {
  return db.transaction(async (tx) => {
    const { room } = await lockSeat(tx, userId, roomId, "owner");
    await deleteKept(tx, roomId);
    if (room.lastSeq <= MAX_DELETED_AT_ONCE) {
      const ids = tx.select({ id: messages.id }).from(messages).where(eq(messages.roomId, roomId));
      await tx.delete(messageSearch).where(inArray(messageSearch.messageId, ids));
      await tx.delete(rooms).where(eq(rooms.id, roomId));
      await tx.delete(roomLog).where(eq(roomLog.roomId, roomId));
    } else {
      await hideDeletedRoom(tx, roomId);
    }
    await notifyInstances(tx, { kind: "room_deleted", room_id: roomId });
  });
}

/** Deletes the scheduled messages and drafts of a room, and notifies their owners. */
async function deleteKept(tx: Transaction, roomId: string): Promise<void> {
  const planned = await tx
    .delete(scheduledMessages)
    .where(eq(scheduledMessages.roomId, roomId))
    .returning({ id: scheduledMessages.id, user_id: scheduledMessages.userId });
  const begun = await tx
    .delete(drafts)
    .where(eq(drafts.roomId, roomId))
    .returning({ user_id: drafts.userId, thread_id: drafts.threadId });
  const byUser = Map.groupBy(planned, (row) => row.user_id);
  // A user has at most a hundred of each, which one signal can hold.
  const gone = [...byUser].map(([user_id, rows]): Signal => {
    const ids = rows.slice(0, IDS_PER_SIGNAL).map(({ id }) => id);
    return { kind: "scheduled_changed", user_id, ids };
  });
  const cleared = begun.map(({ user_id, thread_id }): Signal => {
    const place = { room_id: roomId, thread_id: thread_id === NO_THREAD ? null : thread_id };
    return { kind: "draft_changed", user_id, ...place };
  });
  await notifyInstances(tx, ...gone, ...cleared);
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

/**
 * Locks and reads a room that an administrator or operator changes.
 * @throws Refusal `room_not_found`
 */
export async function lockRoom(
  tx: Transaction,
  which: { id: string } | { name: string },
): Promise<RoomRow> {
  const [is, name] =
    "id" in which
      ? [eq(rooms.id, which.id), "with this id"]
      : [eq(rooms.name, which.name), which.name];
  const [room] = await tx
    .select()
    .from(rooms)
    .where(and(is, eq(rooms.kind, "room"), isNull(rooms.deletedAt)))
    .for("no key update");
  if (!room) throw new Refusal("room_not_found", `There is no room ${name}.`);
  return room;
}

/**
 * Archives or unarchives a room, and audits it. Does nothing if it is so already.
 * @param room from `lockRoom`
 */
export async function setArchived(
  tx: Transaction,
  actor: AuditActor,
  room: RoomRow,
  isArchived: boolean,
): Promise<RoomRow> {
  if (room.isArchived === isArchived) return room;
  await changeRoom(tx, room.id, { isArchived });
  const action = isArchived ? "room.archive" : "room.unarchive";
  await writeAudit(tx, actor, action, room);
  return { ...room, isArchived };
}

/**
 * Trims a room's description; null for blank text.
 * @throws Refusal `validation` as `cleanDescription`
 */
export function parseDescription(text: string | null | undefined): string | null {
  return cleanDescription(text ?? "", "/description", MAX_ROOM_DESCRIPTION_LENGTH);
}
