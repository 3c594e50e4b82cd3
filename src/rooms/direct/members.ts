import { eq, sql } from "drizzle-orm";
import type { Database, Drizzle, Transaction } from "../../database/connect.ts";
import { violatesConstraint } from "../../database/errors.ts";
import { memberships, rooms, users } from "../../database/schema.ts";
import { appendEvent } from "../../feed/append.ts";
import { notifyInstances } from "../../feed/signals.ts";
import { enqueueJob } from "../../jobs-queue/enqueue.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { Actor } from "../../routing/actor.ts";
import type { Direct } from "../../wire/models.ts";
import type { MakeRoom } from "../../wire/requests.ts";
import { lockMembership, type RoomRow } from "../access.ts";
import { refuseReadOnly } from "../refusals.ts";
import { parseDescription } from "../change.ts";
import { insertMembership, refuseDuplicateName, removeMembership } from "../membership.ts";
import { requireDirect } from "../viewers-rooms.ts";
import { makeDirectKey } from "./read.ts";
import { checkPartners, refuseTooMany } from "./open.ts";

/** A group that shrinks below this loses its key, so that it is not mistaken for a conversation of two. */
const MIN_GROUP_WITH_KEY = 3;

/**
 * Adds someone to a group. They can read its whole history.
 * @throws Refusal `room_not_found`, `not_for_direct`, `conversation_closed`, `already_a_member`,
 * `too_many`, `user_not_found`, `not_for_bots`
 */
export async function addToDirect(
  database: Database,
  actor: Actor,
  roomId: string,
  userId: string,
): Promise<Direct> {
  await database.db.transaction(async (tx) => {
    const { room, memberIds } = await lockGroup(tx, actor.id, roomId);
    refuseReadOnly(room, "add");
    if (memberIds.includes(userId)) {
      throw new Refusal("already_a_member", "This person is already in the conversation.");
    }
    refuseTooMany(memberIds.length + 1);
    const { hasBot } = await checkPartners(tx, actor, [userId]);
    // A bot would read what the people in the group have said among themselves.
    if (hasBot)
      throw new Refusal("not_for_bots", "A bot cannot be added. Start a new conversation.");
    await insertMembership(tx, roomId, userId, "member", actor.id, true);
    await updateKey(tx, roomId, [...memberIds, userId]);
    await notifyInstances(
      tx,
      { kind: "direct_added", room_id: roomId, user_ids: [userId] },
      { kind: "direct_updated", room_id: roomId, user_ids: memberIds },
    );
  });
  return requireDirect(database.sql, actor.id, roomId);
}

/**
 * Leaves a group. The group is closed when one member is left, and deleted when none is left.
 * @throws Refusal `room_not_found`, `not_for_direct`
 */
export function leaveDirect(db: Drizzle, actorId: string, roomId: string): Promise<void> {
  return db.transaction(async (tx) => {
    const { memberIds } = await lockGroup(tx, actorId, roomId);
    const others = memberIds.filter((id) => id !== actorId);
    const room_seq = await removeMembership(tx, roomId, actorId, actorId);
    await updateKey(tx, roomId, others);
    const isEmpty = others.length === 0;
    if (others.length <= 1) {
      const deletedAt = isEmpty ? sql`clock_timestamp()` : null;
      await tx.update(rooms).set({ isClosed: true, deletedAt }).where(eq(rooms.id, roomId));
    }
    if (isEmpty) await enqueueJob(tx, { kind: "delete_room", payload: { roomId } });
    await notifyInstances(
      tx,
      { kind: "direct_left", user_id: actorId, room_id: roomId, room_seq },
      { kind: "direct_updated", room_id: roomId, user_ids: others },
    );
  });
}

/**
 * Turns a group into a private room with its whole history. The caller owns the room, and everyone else
 * becomes an admin. This cannot be undone.
 * @throws Refusal `room_not_found`, `not_for_direct`, `conversation_closed`, `room_name_taken`, `validation`
 */
export async function makeRoom(
  db: Drizzle,
  actorId: string,
  roomId: string,
  params: MakeRoom,
): Promise<void> {
  const { name } = params;
  const description = parseDescription(params.description);
  await db
    .transaction(async (tx) => {
      const { room, memberIds } = await lockGroup(tx, actorId, roomId);
      refuseReadOnly(room, "add");
      await tx
        .update(rooms)
        .set({
          kind: "room",
          name,
          description,
          privateUntilSeq: room.lastSeq,
          directKind: null,
          directKey: null,
        })
        .where(eq(rooms.id, roomId));
      // A bot never becomes an admin automatically.
      const isBot = sql`exists (select from ${users} where id = ${memberships.userId} and is_bot)`;
      const role = sql`case when ${memberships.userId} = ${actorId} then 'owner'
        when ${isBot} then 'member' else 'admin' end`;
      await tx
        .update(memberships)
        .set({ role, isDirect: false, hiddenAt: null })
        .where(eq(memberships.roomId, roomId));
      await appendEvent(tx, roomId, { type: "room_updated" });
      const addedSignal = (user_id: string) => ({
        kind: "room_added" as const,
        user_id,
        room_id: roomId,
      });
      await notifyInstances(tx, ...memberIds.map(addedSignal));
    })
    .catch((error) => refuseDuplicateName(error, name));
}

/**
 * Locks a group and reads its members.
 * @throws Refusal `room_not_found`; `not_for_direct` for a pair and for notes
 */
async function lockGroup(
  tx: Transaction,
  actorId: string,
  roomId: string,
): Promise<{ room: RoomRow; memberIds: string[] }> {
  const { room } = await lockMembership(tx, actorId, roomId, "direct_member");
  if (room.directKind !== "group") {
    const message = "Only a conversation of three or more can change. Start a new one.";
    throw new Refusal("not_for_direct", message);
  }
  const members = await tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(eq(memberships.roomId, roomId));
  return { room, memberIds: members.map(({ userId }) => userId) };
}

/** Gives a group the key of its members, unless another conversation has that key. */
async function updateKey(tx: Transaction, roomId: string, memberIds: string[]): Promise<void> {
  const setKey = (query: Transaction, directKey: Buffer | null) =>
    query.update(rooms).set({ directKey }).where(eq(rooms.id, roomId));
  if (memberIds.length < MIN_GROUP_WITH_KEY) {
    await setKey(tx, null);
    return;
  }
  try {
    // Without the savepoint, a violated index would end the transaction.
    await tx.transaction((inner) => setKey(inner, makeDirectKey(memberIds)));
  } catch (error) {
    if (!violatesConstraint(error, "rooms_direct_key")) throw error;
    await setKey(tx, null);
  }
}
