import { and, eq } from "drizzle-orm";
import type { HandSql, Query, Transaction } from "../database/connect.ts";
import { memberships, rooms } from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Privacy, Role } from "../wire/models.ts";

export type RoomRow = typeof rooms.$inferSelect;
export type MembershipRow = typeof memberships.$inferSelect;

/** A room and what the caller is in it. */
export type Seat = { room: RoomRow; membership: MembershipRow | null };
/** What a caller must be: `see` is enough for what anyone may know of an open room. */
export type Need = "see" | "member" | "admin" | "owner";

const RANK: Record<Role, number> = { member: 1, admin: 2, owner: 3 };
const NEEDED: Record<Need, number> = { see: 0, member: 1, admin: 2, owner: 3 };

/**
 * The one predicate: what a caller of this role may do in a room of this privacy. Everything that
 * is in a room, a message, a file, an event, is decided by it.
 * @returns the refusal, or null where it is allowed
 */
export function refusalFor(
  room: { privacy: Privacy } | null,
  role: Role | null,
  need: Need,
): Refusal | null {
  if (!room || (role === null && room.privacy === "private")) {
    // The same for a private room as for one that never was.
    return new Refusal("room_not_found", "There is no such room, or you are not in it.");
  }
  if ((role === null ? 0 : RANK[role]) >= NEEDED[need]) return null;
  if (role === null) return new Refusal("not_a_member", "You are not in this room. Join it first.");
  const who = need === "owner" ? "the room's owner" : "the room's owner and admins";
  return new Refusal("role_required", `Only ${who} may do this.`);
}

/**
 * The only way to a room for a caller.
 * @param lock takes the row's lock, so that what is checked here still holds at the commit
 * @throws Refusal `room_not_found`, `not_a_member`, `role_required`
 */
export async function getSeat(
  tx: Query,
  userId: string,
  roomId: string,
  need: Need,
  lock = false,
): Promise<Seat> {
  // The lock first and alone: the role is then read as it is once the lock is held.
  if (lock)
    await tx.select({ id: rooms.id }).from(rooms).where(eq(rooms.id, roomId)).for("no key update");
  const [row] = await tx
    .select({ room: rooms, membership: memberships })
    .from(rooms)
    .leftJoin(memberships, and(eq(memberships.roomId, rooms.id), eq(memberships.userId, userId)))
    .where(eq(rooms.id, roomId));
  const refusal = refusalFor(row?.room ?? null, row?.membership?.role ?? null, need);
  if (refusal || !row) throw refusal;
  return row;
}

/**
 * The same check for the hot paths, which need no more of the room: one prepared statement.
 * @throws Refusal as `getSeat`
 */
export async function checkSeat(
  sql: HandSql,
  userId: string,
  roomId: string,
  need: Need,
): Promise<{ lastSeq: number; isArchived: boolean }> {
  const [row] = await sql<
    { privacy: Privacy; last_seq: number; is_archived: boolean; role: Role | null }[]
  >`
    select r.privacy, r.last_seq, r.is_archived, m.role from rooms r
    left join memberships m on m.room_id = r.id and m.user_id = ${userId}
    where r.id = ${roomId}`;
  const refusal = refusalFor(row ?? null, row?.role ?? null, need);
  if (refusal || !row) throw refusal;
  return { lastSeq: row.last_seq, isArchived: row.is_archived };
}

/** As `getSeat`, under the room's lock and for a member: the membership is there. */
export async function lockSeat(
  tx: Transaction,
  userId: string,
  roomId: string,
  need: Exclude<Need, "see">,
): Promise<{ room: RoomRow; membership: MembershipRow }> {
  const { room, membership } = await getSeat(tx, userId, roomId, need, true);
  if (!membership) throw new Error("lockSeat: a member without a membership");
  return { room, membership };
}

/** @throws Refusal `room_archived` */
export function refuseArchived(room: { isArchived: boolean }): void {
  if (room.isArchived) {
    throw new Refusal("room_archived", "This room is archived: it can be read, but not changed.");
  }
}
