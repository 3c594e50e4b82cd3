import { and, eq } from "drizzle-orm";
import { toUser, userColumns, type UserFields, userFields } from "../users/users.ts";
import type { Drizzle, Query, SqlClient } from "../database/connect.ts";
import { memberships, users } from "../database/schema.ts";
import { isMailConfigured } from "../email/settings.ts";
import { enqueueJob } from "../jobs-queue/enqueue.ts";
import { decodeCursor, toPage } from "../platform/input/cursor.ts";
import { makeFieldRefusal, Refusal } from "../platform/refusal.ts";
import { IS_ONLINE, isOnline, toStatus } from "../presence/read.ts";
import { MAX_MEMBERS_AT_ONCE, MAX_MEMBERS_PER_QUERY } from "../wire/limits.ts";
import type { Member, Page, Role } from "../wire/models.ts";
import type { MembersQuery } from "../wire/queries.ts";
import type { AddMember } from "../wire/requests.ts";
import {
  isMembership,
  lockRoomRow,
  lockMembership,
  readMembership,
  requireMembership,
} from "./access.ts";
import { refuseReadOnly } from "./refusals.ts";
import { addMembership, removeMembership, setRole } from "./membership.ts";

type MemberRow = UserFields & { id: string; role: Role; joined_at: Date; is_online: boolean };

function toMember(row: MemberRow): Member {
  return {
    user: toUser(row),
    role: row.role,
    joined_at: row.joined_at.toISOString(),
    status: toStatus(row.is_online),
  };
}

/** A page of a larger room follows the index of all usernames, which is faster than sorting its members. */
const MAX_SORTED_MEMBERS = 1_000;

/**
 * Lists a room's members by username: in pages, all at once, or those that the query names.
 * @throws Refusal of `requireMembership`
 */
export async function listMembers(
  sql: SqlClient,
  viewerId: string,
  roomId: string,
  query: MembersQuery,
): Promise<Page<Member>> {
  const room = await requireMembership(sql, viewerId, roomId, "room_member");
  const userIds = query.user_ids?.split(",");
  const pageLimit = query.all ? MAX_MEMBERS_AT_ONCE : query.limit;
  const limit = userIds ? MAX_MEMBERS_PER_QUERY : pageLimit;
  const after = decodeCursor(query.cursor) ?? "";
  const isSorted = room.member_count <= Math.max(MAX_SORTED_MEMBERS, limit);
  const namedMembers = (ids: string[]) => sql`
    memberships m join users u on u.id = m.user_id
    where m.room_id = ${roomId} and m.user_id = any(${ids}::uuid[]) and u.username > ${after}`;
  const sortedMembers = sql`
    memberships m
    cross join lateral (select * from users where id = m.user_id and username > ${after} limit 1) u
    where m.room_id = ${roomId}`;
  const membersByName = sql`
    users u
    cross join lateral (
      select * from memberships where room_id = ${roomId} and user_id = u.id limit 1
    ) m
    where u.username > ${after}`;
  // `IS_ONLINE` needs the name `users`, and is evaluated for the page only.
  const rows = await sql<MemberRow[]>`
    with users as materialized (
      select u.id, ${sql.unsafe(userFields("u"))}, u.appear_offline, m.role, m.joined_at
      from ${userIds ? namedMembers(userIds) : isSorted ? sortedMembers : membersByName}
      order by u.username limit ${limit + 1}
    )
    select users.*, ${sql.unsafe(IS_ONLINE)} as is_online from users order by username`;
  return toPage(rows, limit, (row) => row.username, toMember);
}

/** @throws Refusal `member_not_found` */
export async function requireMember(tx: Query, roomId: string, userId: string): Promise<Member> {
  const [row] = await tx
    .select({
      ...userColumns,
      role: memberships.role,
      joined_at: memberships.joinedAt,
      is_online: isOnline,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(isMembership(roomId, userId));
  if (!row) throw new Refusal("member_not_found", "This person is not in the room.");
  return toMember(row);
}

/**
 * Adds an active user, who need not accept.
 * @throws Refusal of `lockMembership`; `room_archived`, `unknown_user`, `already_a_member`, `not_for_bots`
 */
export function addMember(
  db: Drizzle,
  actorId: string,
  roomId: string,
  params: AddMember,
): Promise<Member> {
  return db.transaction(async (tx) => {
    const { room } = await lockMembership(tx, actorId, roomId, "admin");
    refuseReadOnly(room, "add");
    const { id: userId, isBot } = await findNewMember(tx, params);
    if (isBot && room.privateUntilSeq !== null) {
      const detail = "This room was a conversation: a bot would read what people said in it.";
      throw new Refusal("not_for_bots", detail);
    }
    await addMembership(tx, roomId, userId, params.role ?? "member", actorId);
    if (userId !== actorId && (await isMailConfigured(tx))) {
      await enqueueJob(tx, { kind: "added_mail", payload: { roomId, userId, byId: actorId } });
    }
    return requireMember(tx, roomId, userId);
  });
}

async function findNewMember(
  tx: Query,
  { user_id, username }: AddMember,
): Promise<{ id: string; isBot: boolean }> {
  if (user_id === undefined && username === undefined) {
    throw makeFieldRefusal("/username", "Send user_id or username.");
  }
  const [row] = await tx
    .select({ id: users.id, isBot: users.isBot })
    .from(users)
    .where(
      and(
        eq(users.isActive, true),
        user_id === undefined ? undefined : eq(users.id, user_id),
        username === undefined ? undefined : eq(users.username, username.toLowerCase()),
      ),
    );
  if (row) return row;
  const message = "There is no active user of this name.";
  const path = username === undefined ? "/user_id" : "/username";
  throw new Refusal("unknown_user", message, { errors: [{ path, message }] });
}

/**
 * Changes a member's role. The owner may change any; an admin may make members admins.
 * @throws Refusal of `lockMembership`; `member_not_found`, `owner_role_fixed`, `role_required`
 */
export function changeRole(
  db: Drizzle,
  actorId: string,
  roomId: string,
  userId: string,
  role: "admin" | "member",
): Promise<Member> {
  return db.transaction(async (tx) => {
    const { membership } = await lockMembership(tx, actorId, roomId, "admin");
    const member = await requireMember(tx, roomId, userId);
    if (member.role === "owner") {
      const detail = "The owner's role changes only by transferring the room.";
      throw new Refusal("owner_role_fixed", detail);
    }
    if (membership.role !== "owner" && role !== "admin") {
      throw new Refusal("role_required", "Only the room's owner may remove the admin role.");
    }
    if (member.role !== role) await setRole(tx, roomId, userId, role);
    return { ...member, role };
  });
}

/**
 * Removes a member. The owner may remove anyone else, an admin only members, and members may leave.
 * @throws Refusal of `lockMembership`; `member_not_found`, `role_required`, `owner_cannot_leave`
 */
export function removeMember(
  db: Drizzle,
  actorId: string,
  roomId: string,
  userId: string,
): Promise<void> {
  if (actorId === userId) return leaveRoom(db, actorId, roomId);
  return db.transaction(async (tx) => {
    const { membership } = await lockMembership(tx, actorId, roomId, "admin");
    const member = await requireMember(tx, roomId, userId);
    if (membership.role !== "owner" && member.role !== "member") {
      throw new Refusal("role_required", "Only the room's owner may remove an admin.");
    }
    await removeMembership(tx, roomId, userId, actorId);
  });
}

/**
 * Joins an open room; joining again changes nothing.
 * @throws Refusal `room_not_found`, `room_archived`
 */
export function joinRoom(db: Drizzle, userId: string, roomId: string): Promise<void> {
  return db.transaction(async (tx) => {
    await lockRoomRow(tx, roomId);
    const { room, membership } = await readMembership(tx, userId, roomId, "see");
    refuseReadOnly(room, "join");
    if (!membership) await addMembership(tx, roomId, userId, "member", userId);
  });
}

/** @throws Refusal of `lockMembership`; `owner_cannot_leave` */
export function leaveRoom(db: Drizzle, userId: string, roomId: string): Promise<void> {
  return db.transaction(async (tx) => {
    const { membership } = await lockMembership(tx, userId, roomId, "room_member");
    if (membership.role === "owner") {
      const detail = "Transfer the room to someone else before you leave it.";
      throw new Refusal("owner_cannot_leave", detail);
    }
    await removeMembership(tx, roomId, userId, userId);
  });
}
