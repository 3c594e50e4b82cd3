import { and, eq } from "drizzle-orm";
import type { SqlClient, Query, Transaction } from "../database/connect.ts";
import { coalesceReads } from "../database/coalesce-reads.ts";
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

/** Where a room and its people stood when a seat was checked. */
export type SeatState = {
  lastSeq: number;
  isArchived: boolean;
  /** Counts changes of what others see of people and of known previews, on the whole site. */
  peopleVersion: number;
};

type SeatRow = {
  /** Null where there is no such room. */
  privacy: Privacy | null;
  last_seq: number;
  is_archived: boolean;
  role: Role | null;
  people_version: number;
};

const readSeat = coalesceReads<{ userId: string; roomId: string }, SeatRow>(
  (sql, seats) => sql<SeatRow[]>`
    select r.privacy, r.last_seq, r.is_archived, m.role, (select version from people_version) as people_version
    from unnest(
      ${seats.map((seat) => seat.userId)}::uuid[], ${seats.map((seat) => seat.roomId)}::uuid[]
    ) with ordinality as asked(user_id, room_id, n)
    left join lateral (
      select privacy, last_seq, is_archived from rooms where id = asked.room_id limit 1
    ) r on true
    left join lateral (
      select role from memberships
      where room_id = asked.room_id and user_id = asked.user_id limit 1
    ) m on true
    order by asked.n`,
);

/**
 * The same check for the hot paths, which need no more of the room.
 * @throws Refusal as `getSeat`
 */
export async function checkSeat(
  sql: SqlClient,
  userId: string,
  roomId: string,
  need: Need,
): Promise<SeatState> {
  const row = await readSeat(sql, { userId, roomId });
  const refusal = refusalFor(row.privacy && { privacy: row.privacy }, row.role, need);
  if (refusal) throw refusal;
  return {
    lastSeq: row.last_seq,
    isArchived: row.is_archived,
    peopleVersion: row.people_version,
  };
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

/** What an archived room refuses: the rest of a sentence. */
const REFUSED = {
  post: "nothing can be posted.",
  edit: "messages can be deleted, but not edited.",
  react: "reactions cannot be changed.",
  upload: "nothing can be uploaded.",
  add: "nobody can be added.",
  join: "nobody can join it.",
};

/** @returns the refusal of one thing in an archived room, whose name and description still change */
export function makeArchivedRefusal(what: keyof typeof REFUSED): Refusal {
  return new Refusal("room_archived", `This room is archived: ${REFUSED[what]}`);
}

/** @throws Refusal `room_archived` */
export function refuseArchived(room: { isArchived: boolean }, what: keyof typeof REFUSED): void {
  if (room.isArchived) throw makeArchivedRefusal(what);
}
