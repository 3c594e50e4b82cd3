import { and, asc, eq, gt, ilike, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { likeSubstring } from "../database/like.ts";
import { toUser, userColumns } from "../accounts/users.ts";
import type { SqlClient, Query } from "../database/connect.ts";
import { memberships, rooms, users } from "../database/schema.ts";
import { decodeCursor, page } from "../platform/cursor.ts";
import type { AdminRoom } from "../wire/admin.ts";
import type { MyRoom, Page, Room } from "../wire/models.ts";
import type { AdminRoomQuery, PageQuery } from "../wire/queries.ts";
import { getSeat, type MembershipRow, type RoomRow, refusalFor } from "./access.ts";
import { MENTION_COUNT, UNREAD } from "./unread.ts";

type Found = {
  room: RoomRow;
  owner: Parameters<typeof toUser>[0];
  membership: MembershipRow | null;
  unread: boolean;
  mentions: number;
};

const ownership = alias(memberships, "ownership");

/** Rooms with their owners and what they are to the viewer, by name. */
function findRooms(
  tx: Query,
  viewerId: string,
  where: SQL | undefined,
  limit: number,
): Promise<Found[]> {
  return tx
    .select({
      room: rooms,
      owner: userColumns,
      membership: memberships,
      unread: sql.raw(UNREAD) as SQL<boolean>,
      mentions: sql.raw(MENTION_COUNT) as SQL<number>,
    })
    .from(rooms)
    .innerJoin(ownership, and(eq(ownership.roomId, rooms.id), eq(ownership.role, "owner")))
    .innerJoin(users, eq(users.id, ownership.userId))
    .leftJoin(memberships, and(eq(memberships.roomId, rooms.id), eq(memberships.userId, viewerId)))
    .where(where)
    .orderBy(asc(rooms.name))
    .limit(limit);
}

function toRoom({ room, owner }: Found): Room {
  return {
    id: room.id,
    name: room.name,
    description: room.description,
    privacy: room.privacy,
    is_archived: room.isArchived,
    owner: toUser(owner),
    created_at: room.createdAt.toISOString(),
    member_count: room.memberCount,
    last_message_at: room.lastMessageAt?.toISOString() ?? null,
    seq: room.lastSeq,
  };
}

function toMyRoom(found: Found): MyRoom {
  const { membership, unread, mentions } = found;
  return {
    ...toRoom(found),
    membership: membership && {
      role: membership.role,
      last_read_at: membership.lastReadAt.toISOString(),
      last_read_seq: membership.lastReadSeq,
      notify: membership.notify,
      unread,
      mention_count: mentions,
      version: membership.version,
    },
  };
}

async function list(
  tx: Query,
  viewerId: string,
  where: SQL | undefined,
  query: PageQuery,
): Promise<Page<MyRoom>> {
  const after = decodeCursor(query.cursor);
  const onward = after === null ? undefined : gt(rooms.name, after);
  const rows = await findRooms(tx, viewerId, and(where, onward), query.limit + 1);
  const { items, next } = page(rows, query.limit, (row) => row.room.name);
  return { items: items.map(toMyRoom), next };
}

/** The rooms that the viewer is in. */
export function listRooms(tx: Query, viewerId: string, query: PageQuery): Promise<Page<MyRoom>> {
  return list(tx, viewerId, isNotNull(memberships.userId), query);
}

/** Open rooms that are not archived, whose name starts with or contains the query. */
export function browseRooms(
  tx: Query,
  viewerId: string,
  query: PageQuery & { query?: string },
): Promise<Page<MyRoom>> {
  const text = query.query?.trim();
  const where = and(
    eq(rooms.privacy, "open"),
    eq(rooms.isArchived, false),
    text ? ilike(rooms.name, likeSubstring(text)) : undefined,
  );
  return list(tx, viewerId, where, query);
}

/** @throws Refusal `room_not_found` */
export async function getRoom(tx: Query, viewerId: string, roomId: string): Promise<MyRoom> {
  await getSeat(tx, viewerId, roomId, "see");
  const [found] = await findRooms(tx, viewerId, eq(rooms.id, roomId), 1);
  // Deleted between the two reads: refused as one that never was.
  if (!found) throw refusalFor(null, null, "see");
  return toMyRoom(found);
}

/** Rooms by id, as an envelope carries them, for nobody in particular; those that are gone are left out. */
export async function readRooms(tx: Query, roomIds: string[]): Promise<Map<string, Room>> {
  if (roomIds.length === 0) return new Map();
  const found = await findRooms(tx, NOBODY, inArray(rooms.id, roomIds), roomIds.length);
  return new Map(found.map((one) => [one.room.id, toRoom(one)]));
}

const NOBODY = "00000000-0000-0000-0000-000000000000";

/** All rooms, by name, whose name contains the query, for administrators: private ones included. */
export async function listAdminRooms(tx: Query, query: AdminRoomQuery): Promise<Page<AdminRoom>> {
  const text = query.query?.trim();
  const after = decodeCursor(query.cursor);
  const where = and(
    after === null ? undefined : gt(rooms.name, after),
    query.status === undefined ? undefined : eq(rooms.isArchived, query.status === "archived"),
    text ? ilike(rooms.name, likeSubstring(text)) : undefined,
  );
  const rows = await findRooms(tx, NOBODY, where, query.limit + 1);
  const { items, next } = page(rows, query.limit, (row) => row.room.name);
  return { items: items.map(toAdminRoom), next };
}

/** @throws Refusal `room_not_found` */
export async function getAdminRoom(tx: Query, roomId: string): Promise<AdminRoom> {
  const [found] = await findRooms(tx, NOBODY, eq(rooms.id, roomId), 1);
  if (!found) throw refusalFor(null, null, "see");
  return toAdminRoom(found);
}

function toAdminRoom(found: Found): AdminRoom {
  return { ...toRoom(found), is_default: found.room.isDefault };
}

/** All rooms, by name, for operators. */
export async function listAllRooms(tx: Query): Promise<Room[]> {
  return (await findRooms(tx, NOBODY, undefined, 100_000)).map(toRoom);
}

/** The last number of each of these rooms that exists. */
export async function readPositions(
  sql: SqlClient,
  roomIds: string[],
): Promise<Map<string, number>> {
  const rows = await sql<{ id: string; last_seq: number }[]>`
    select id, last_seq from rooms where id = any(${roomIds}::uuid[])`;
  return new Map(rows.map((row) => [row.id, row.last_seq]));
}
