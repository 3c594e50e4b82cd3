import { and, eq, sql } from "drizzle-orm";
import type { Database, Transaction } from "../database/connect.ts";
import { violatesConstraint } from "../database/errors.ts";
import { memberships, rooms, sectionRooms, threadFollows } from "../database/schema.ts";
import { appendEvent } from "../feed/append.ts";
import { notifyInstances } from "../feed/signals.ts";
import { parseTime } from "../platform/input/time.ts";
import { makeFieldRefusal, Refusal } from "../platform/refusal.ts";
import type { Direct, MyRoom, Role } from "../wire/models.ts";
import type { UpdateMembership } from "../wire/requests.ts";
import { isMembership, requireMembership } from "./access.ts";
import { requireDirect, requireRoom } from "./viewers-rooms.ts";

/**
 * Adds a user to a room whose lock the caller holds, and notifies them.
 * @param actorId who adds them; null for the service and the command line
 * @throws Refusal `already_a_member`
 */
export async function addMembership(
  tx: Transaction,
  roomId: string,
  userId: string,
  role: Role,
  actorId: string | null,
) {
  await insertMembership(tx, roomId, userId, role, actorId);
  await notifyInstances(tx, { kind: "room_added", user_id: userId, room_id: roomId });
}

/** Adds a user to a room or conversation whose lock the caller holds. */
export async function insertMembership(
  tx: Transaction,
  roomId: string,
  userId: string,
  role: Role,
  actorId: string | null,
  isDirect = false,
) {
  const newMemberships = await tx
    .insert(memberships)
    .values({ roomId, userId, role, isDirect })
    .onConflictDoNothing()
    .returning({ userId: memberships.userId });
  if (newMemberships.length === 0)
    throw new Refusal("already_a_member", "This person is already in the room.");
  await changeMemberCount(tx, roomId, 1);
  const seq = await appendEvent(tx, roomId, { type: "member_added", userId, actorId });
  // Messages from before they joined are not unread.
  await tx.update(memberships).set({ lastReadSeq: seq }).where(isMembership(roomId, userId));
}

/**
 * Removes a member from a room whose lock the caller holds. The removal has a number in the room's
 * log, and nothing after it reaches the member, who no longer follows its threads and no longer has
 * it in a section.
 * @returns that number
 */
export async function removeMembership(
  tx: Transaction,
  roomId: string,
  userId: string,
  actorId: string | null,
): Promise<number> {
  await tx.delete(memberships).where(isMembership(roomId, userId));
  await tx
    .delete(threadFollows)
    .where(and(eq(threadFollows.userId, userId), eq(threadFollows.roomId, roomId)));
  await tx
    .delete(sectionRooms)
    .where(and(eq(sectionRooms.userId, userId), eq(sectionRooms.roomId, roomId)));
  await changeMemberCount(tx, roomId, -1);
  return appendEvent(tx, roomId, { type: "member_removed", userId, actorId });
}

/** Changes a member's role in a room whose lock the caller holds. */
export async function setRole(tx: Transaction, roomId: string, userId: string, role: Role) {
  await tx.update(memberships).set({ role }).where(isMembership(roomId, userId));
  await notifyInstances(tx, { kind: "member_updated", user_id: userId, room_id: roomId });
  await notifyMembership(tx, roomId, userId);
}

/**
 * Changes the caller's notifications of a room or conversation, whether it is a favourite, and whether a
 * conversation is hidden.
 * @throws Refusal of `requireMembership`; `validation` for hiding a room
 */
export async function updateMembership(
  { db, sql: client }: Database,
  userId: string,
  roomId: string,
  { notify, muted_until, thread_push, pinned, hidden }: UpdateMembership,
): Promise<MyRoom | Direct> {
  const { kind } = await requireMembership(client, userId, roomId, "member");
  if (hidden !== undefined && kind === "room") {
    const detail = "Only a direct conversation can be hidden. Leave the room instead.";
    throw makeFieldRefusal("/hidden", detail);
  }
  if ([notify, muted_until, thread_push, pinned, hidden].some((value) => value !== undefined)) {
    // Setting only the level also ends a mute with an end time, because older clients do not know
    // of end times.
    const until = muted_until === undefined && notify !== undefined ? null : muted_until;
    // Pinning a favourite again does not change its time.
    const now = sql`coalesce(${memberships.pinnedAt}, clock_timestamp())`;
    const values = {
      notify,
      mutedUntil: until == null ? until : parseTime(until, "/muted_until"),
      threadPush: thread_push,
      pinnedAt: pinned === false ? null : pinned && now,
      hiddenAt: hidden === false ? null : hidden && sql`clock_timestamp()`,
    };
    await db.transaction(async (tx) => {
      await tx.update(memberships).set(values).where(isMembership(roomId, userId));
      if (kind === "room") await notifyMembership(tx, roomId, userId);
      else
        await notifyInstances(tx, { kind: "direct_updated", room_id: roomId, user_ids: [userId] });
    });
  }
  return (kind === "room" ? requireRoom : requireDirect)(client, userId, roomId);
}

/** Notifies the member's own sockets of a new role or notification setting at the commit. */
export async function notifyMembership(tx: Transaction, roomId: string, userId: string) {
  await notifyInstances(tx, { kind: "membership_updated", user_id: userId, room_id: roomId });
}

async function changeMemberCount(tx: Transaction, roomId: string, by: number) {
  const memberCount = sql`${rooms.memberCount} + ${by}`;
  await tx.update(rooms).set({ memberCount }).where(eq(rooms.id, roomId));
}

/** Turns a violation of the unique index on names into a refusal, and rethrows any other error. */
export function refuseDuplicateName(error: unknown, name: string): never {
  if (violatesConstraint(error, "rooms_name")) {
    const detail = `A room named ${name} already exists. Choose another name.`;
    throw new Refusal("room_name_taken", detail);
  }
  throw error;
}
