import { and, eq } from "drizzle-orm";
import { coalesceReads } from "../database/coalesce-reads.ts";
import type { Query, SqlClient, Transaction } from "../database/connect.ts";
import { type Params, prepareQuery } from "../database/prepared.ts";
import { memberships, rooms } from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
import { MAX_BROADCAST_MEMBERS } from "../wire/limits.ts";
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

/** The end of the sentence that refuses a change in an archived room. */
const REFUSED = {
  post: "nothing can be posted.",
  edit: "messages can be deleted, but not edited.",
  react: "reactions cannot be changed.",
  pin: "pins cannot be changed.",
  thread: "threads cannot be named or marked done.",
  upload: "nothing can be uploaded.",
  add: "nobody can be added.",
  join: "nobody can join it.",
};

/** Its name and description can still be changed. */
export function makeArchivedRefusal(what: keyof typeof REFUSED): Refusal {
  return new Refusal("room_archived", `This room is archived: ${REFUSED[what]}`);
}

/** A conversation is closed while nobody else in it can answer. */
export function makeClosedRefusal(): Refusal {
  return new Refusal(
    "conversation_closed",
    "Nobody else in this conversation has an active account. You can still read it.",
  );
}

/** @throws Refusal `room_archived`, `conversation_closed` */
export function refuseReadOnly(
  room: { isArchived: boolean; isClosed: boolean },
  what: keyof typeof REFUSED,
): void {
  if (room.isArchived) throw makeArchivedRefusal(what);
  if (room.isClosed) throw makeClosedRefusal();
}

/** Refuses `@room` and `@here`. */
export function makeBroadcastRefusal(kind: RoomKind | null): Refusal {
  if (kind === "direct") {
    const detail =
      "Every message of a conversation is for everyone in it, without @room and @here.";
    return new Refusal("broadcast_restricted", detail);
  }
  return new Refusal(
    "broadcast_restricted",
    `In a room of more than ${MAX_BROADCAST_MEMBERS} members, only its owner and admins can use @room and @here.`,
  );
}

/**
 * Refuses `@room` and `@here` in a conversation, and to a member of a large room, as the statement that writes messages does.
 * @throws Refusal `broadcast_restricted`
 */
export function refuseBroadcast({
  room,
  membership,
}: {
  room: RoomRow;
  membership: MembershipRow;
}) {
  const isAllowed = room.memberCount <= MAX_BROADCAST_MEMBERS || membership.role !== "member";
  if (room.kind === "direct" || !isAllowed) throw makeBroadcastRefusal(room.kind);
}
