import { and, eq } from "drizzle-orm";
import { coalesceReads } from "../database/coalesce-reads.ts";
import type { Fragment, Query, SqlClient, Transaction } from "../database/connect.ts";
import { memberships, rooms } from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Privacy, Role, RoomKind } from "../wire/models.ts";

export type RoomRow = typeof rooms.$inferSelect;
export type MembershipRow = typeof memberships.$inferSelect;

/** The condition of a row of `memberships`. */
export const isMembership = (roomId: string, userId: string) =>
  and(eq(memberships.roomId, roomId), eq(memberships.userId, userId));

type RoomMembership = { room: RoomRow; membership: MembershipRow | null };
/**
 * The minimum role of the caller. Everyone may `see` an open room. Members of a direct conversation,
 * which has no roles, satisfy `member` and `direct_member`; members of a room never satisfy
 * `direct_member`.
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
 * The only access predicate: decides what a caller with this role may do in a room or conversation,
 * and with its messages, files, events and webhooks.
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
  const allowedRoles = need === "owner" ? "the room's owner" : "the room's owner and admins";
  return new Refusal("role_required", `Only ${allowedRoles} may do this.`);
}

const readAccess = coalesceReads((sql, keys: MembershipKey[]) =>
  selectAccess(
    sql,
    sql`select * from unnest(
      ${keys.map(({ userId }) => userId)}::uuid[], ${keys.map(({ roomId }) => roomId)}::uuid[]
    ) with ordinality as key(user_id, room_id, n)`,
  ),
);

/**
 * Checks a caller's membership. Concurrent checks share one statement.
 * @throws Refusal `room_not_found`, `not_a_member`, `role_required`
 */
export async function requireMembership(
  sql: SqlClient,
  userId: string,
  roomId: string,
  need: Need,
): Promise<RoomState> {
  const row = await readAccess(sql, { userId, roomId });
  const refusal = refusalOf(row, need);
  if (refusal) throw refusal;
  return row as RoomState;
}

export function refusalOf({ kind, privacy, role }: AccessRow, need: Need): Refusal | null {
  return refusalFor(kind && privacy && { kind, privacy }, role, need);
}

/**
 * Checks a caller's membership and reads whole rows.
 * @throws Refusal as `requireMembership`
 */
export async function readMembership(
  tx: Query,
  userId: string,
  roomId: string,
  need: Need,
): Promise<RoomMembership> {
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
 * Locks the room, then checks the caller's membership, which therefore still holds at the commit.
 * @param strength `key share` only keeps the room from being deleted, and waits for no other change
 * @throws Refusal as `requireMembership`
 */
export async function lockMembership(
  tx: Transaction,
  userId: string,
  roomId: string,
  need: Exclude<Need, "see">,
  strength?: "key share",
): Promise<{ room: RoomRow; membership: MembershipRow }> {
  await lockRoomRow(tx, roomId, strength);
  const { room, membership } = await readMembership(tx, userId, roomId, need);
  if (!membership) throw new Error("lockMembership: a member without a membership");
  return { room, membership };
}

/** Locks a room's row, if it exists, so that the room cannot change until the commit. */
export async function lockRoomRow(
  tx: Transaction,
  roomId: string,
  strength: "no key update" | "key share" = "no key update",
): Promise<void> {
  await tx.select({ id: rooms.id }).from(rooms).where(eq(rooms.id, roomId)).for(strength);
}

export type MembershipKey = { userId: string; roomId: string };
type AccessRow = {
  /** Null if there is no such room. */
  kind: RoomKind | null;
  privacy: Privacy | null;
  last_seq: number;
  is_archived: boolean;
  is_closed: boolean;
  member_count: number;
  /** Increases whenever anyone's public profile or an existing preview changes. */
  people_version: number;
  /** Null if the user is not in the room. */
  role: Role | null;
};
/** The room's state when the membership was checked. */
export type RoomState = AccessRow & { kind: RoomKind };

/**
 * @param keys SQL for a `user_id` and a `room_id` each, numbered by `n`
 * @returns a row for each of them, in their order
 */
export const selectAccess = (sql: SqlClient, keys: Fragment) => sql<AccessRow[]>`
    select r.kind, r.privacy, r.last_seq, r.is_archived, r.is_closed, r.member_count, m.role,
      (select version from people_version) as people_version
    from (${keys}) key
    left join lateral (
      select kind, privacy, last_seq, is_archived, is_closed, member_count from rooms
      where id = key.room_id limit 1
    ) r on true
    left join lateral (
      select role from memberships
      where room_id = key.room_id and user_id = key.user_id limit 1
    ) m on true
    order by key.n`;
