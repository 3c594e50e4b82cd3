import { and, eq } from "drizzle-orm";
import { coalesceReads } from "../database/coalesce-reads.ts";
import type { Query, SqlClient, Transaction } from "../database/connect.ts";
import { type Params, prepareQuery } from "../database/prepared.ts";
import { memberships, rooms } from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Privacy, Role, RoomKind } from "../wire/models.ts";
import { readSeats, type SeatRow } from "./statements.ts";

export type RoomRow = typeof rooms.$inferSelect;
export type MembershipRow = typeof memberships.$inferSelect;

/** A room, and the caller's membership in it if there is one. */
export type Seat = { room: RoomRow; membership: MembershipRow | null };
/**
 * The least that the caller must be. `see` is met by everyone for an open room. A direct conversation has
 * nothing but members: they meet `member` and `direct_member`, which a room's do not.
 */
export type Need = "see" | "member" | "room_member" | "direct_member" | "admin" | "owner";

const RANK: Record<Role, number> = { member: 1, admin: 2, owner: 3 };
const NEEDED: Record<Need, number> = {
  see: 0,
  member: 1,
  room_member: 1,
  direct_member: 1,
  admin: 2,
  owner: 3,
};
const NEEDED_IN_DIRECT: readonly Need[] = ["member", "direct_member"];

/**
 * The one access predicate: what a caller with this role may do in a room or conversation of this kind
 * and privacy. It decides for everything in it: messages, files, events, webhooks.
 * @returns the refusal, or null if it is allowed
 */
export function refusalFor(
  room: { kind: RoomKind; privacy: Privacy } | null,
  role: Role | null,
  need: Need,
): Refusal | null {
  const isOfOtherKind =
    room?.kind === "direct" ? !NEEDED_IN_DIRECT.includes(need) : need === "direct_member";
  if (!room || isOfOtherKind || (role === null && room.privacy === "private")) {
    // A private room looks the same as one that does not exist.
    return new Refusal("room_not_found", "There is no such room, or you are not in it.");
  }
  if ((role === null ? 0 : RANK[role]) >= NEEDED[need]) return null;
  if (role === null) return new Refusal("not_a_member", "You are not in this room. Join it first.");
  const who = need === "owner" ? "the room's owner" : "the room's owner and admins";
  return new Refusal("role_required", `Only ${who} may do this.`);
}

/** A room at the moment at which a seat was checked. */
export type SeatState = {
  kind: RoomKind;
  lastSeq: number;
  isArchived: boolean;
  isClosed: boolean;
  memberCount: number;
  /** Counts changes of who is in the room and in which role. */
  membersVersion: number;
  /** Counts changes on the whole site of what others see of people, and of known previews. */
  peopleVersion: number;
};

const readSeatRow = coalesceReads(readSeats);

/**
 * Checks a caller's seat on hot paths, where many are read with one statement.
 * @throws Refusal `room_not_found`, `not_a_member`, `role_required`
 */
export async function checkSeat(
  sql: SqlClient,
  userId: string,
  roomId: string,
  need: Need,
): Promise<SeatState> {
  return toSeatState(await readSeatRow(sql, { userId, roomId }), need);
}

/**
 * What the row of a seat says of its room.
 * @throws Refusal as `checkSeat`
 */
export function toSeatState(row: SeatRow, need: Need): SeatState {
  const { kind, privacy } = row;
  const refusal = refusalFor(kind && privacy && { kind, privacy }, row.role, need);
  if (refusal || !kind) throw refusal;
  return {
    kind,
    lastSeq: row.last_seq,
    isArchived: row.is_archived,
    isClosed: row.is_closed,
    memberCount: row.member_count,
    membersVersion: row.members_version,
    peopleVersion: row.people_version,
  };
}

const findSeat = prepareQuery(
  "read_seat",
  (db, params: Params<{ userId: string; roomId: string }>) =>
    db
      .select({ room: rooms, membership: memberships })
      .from(rooms)
      .leftJoin(
        memberships,
        and(eq(memberships.roomId, rooms.id), eq(memberships.userId, params.userId)),
      )
      .where(eq(rooms.id, params.roomId)),
);

/**
 * Checks a caller's seat and reads all of it.
 * @throws Refusal as `checkSeat`
 */
export async function readSeat(
  tx: Query,
  userId: string,
  roomId: string,
  need: Need,
): Promise<Seat> {
  const [row] = await findSeat(tx, { userId, roomId });
  const refusal = refusalFor(row?.room ?? null, row?.membership?.role ?? null, need);
  if (refusal || !row) throw refusal;
  return row;
}

/**
 * Locks the room, then reads the seat of a member of it, so that what is checked still holds at the
 * commit.
 * @throws Refusal as `checkSeat`
 */
export async function lockSeat(
  tx: Transaction,
  userId: string,
  roomId: string,
  need: Exclude<Need, "see">,
): Promise<{ room: RoomRow; membership: MembershipRow }> {
  await lockRoomRow(tx, roomId);
  const { room, membership } = await readSeat(tx, userId, roomId, need);
  if (!membership) throw new Error("lockSeat: a member without a membership");
  return { room, membership };
}

const lockRow = prepareQuery("lock_room_row", (db, params: Params<{ roomId: string }>) =>
  db.select({ id: rooms.id }).from(rooms).where(eq(rooms.id, params.roomId)).for("no key update"),
);

/** Locks a room's row, if it exists. What is read in a later statement cannot change until the commit. */
export async function lockRoomRow(tx: Transaction, roomId: string): Promise<void> {
  await lockRow(tx, { roomId });
}
