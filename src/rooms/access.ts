import { and, eq } from "drizzle-orm";
import { coalesceReads } from "../database/coalesce-reads.ts";
import type { Query, SqlClient, Transaction } from "../database/connect.ts";
import { memberships, rooms } from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
import { MAX_BROADCAST_MEMBERS } from "../wire/limits.ts";
import type { Privacy, Role } from "../wire/models.ts";
import { readSeats } from "./statements.ts";

export type RoomRow = typeof rooms.$inferSelect;
export type MembershipRow = typeof memberships.$inferSelect;

/** A room, and the caller's membership in it if there is one. */
export type Seat = { room: RoomRow; membership: MembershipRow | null };
/** The least that the caller must be. `see` is met by everyone for an open room. */
export type Need = "see" | "member" | "admin" | "owner";

const RANK: Record<Role, number> = { member: 1, admin: 2, owner: 3 };
const NEEDED: Record<Need, number> = { see: 0, member: 1, admin: 2, owner: 3 };

/**
 * The one access predicate: what a caller with this role may do in a room of this privacy. It decides
 * for everything in a room: messages, files, events, webhooks.
 * @returns the refusal, or null if it is allowed
 */
export function refusalFor(
  room: { privacy: Privacy } | null,
  role: Role | null,
  need: Need,
): Refusal | null {
  if (!room || (role === null && room.privacy === "private")) {
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
  lastSeq: number;
  isArchived: boolean;
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
  const row = await readSeatRow(sql, { userId, roomId });
  const refusal = refusalFor(row.privacy && { privacy: row.privacy }, row.role, need);
  if (refusal) throw refusal;
  return {
    lastSeq: row.last_seq,
    isArchived: row.is_archived,
    peopleVersion: row.people_version,
  };
}

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

/** Locks a room's row, if it exists. What is read in a later statement cannot change until the commit. */
export async function lockRoomRow(tx: Transaction, roomId: string): Promise<void> {
  await tx.select({ id: rooms.id }).from(rooms).where(eq(rooms.id, roomId)).for("no key update");
}

/** What an archived room refuses, as the end of a sentence. */
const REFUSED = {
  post: "nothing can be posted.",
  edit: "messages can be deleted, but not edited.",
  react: "reactions cannot be changed.",
  upload: "nothing can be uploaded.",
  add: "nobody can be added.",
  join: "nobody can join it.",
};

/** Its name and description can still be changed. */
export function makeArchivedRefusal(what: keyof typeof REFUSED): Refusal {
  return new Refusal("room_archived", `This room is archived: ${REFUSED[what]}`);
}

/** @throws Refusal `room_archived` */
export function refuseArchived(room: { isArchived: boolean }, what: keyof typeof REFUSED): void {
  if (room.isArchived) throw makeArchivedRefusal(what);
}

/** Refuses `@room` and `@here`. */
export function makeBroadcastRefusal(): Refusal {
  return new Refusal(
    "broadcast_restricted",
    `In a room of more than ${MAX_BROADCAST_MEMBERS} members, only its owner and admins can use @room and @here.`,
  );
}

/**
 * Refuses `@room` and `@here` to a member of a large room, as the statement that writes messages does.
 * @throws Refusal `broadcast_restricted`
 */
export function refuseBroadcast({
  room,
  membership,
}: {
  room: RoomRow;
  membership: MembershipRow;
}) {
  if (room.memberCount <= MAX_BROADCAST_MEMBERS || membership.role !== "member") return;
  throw makeBroadcastRefusal();
}
