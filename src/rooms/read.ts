import { and, asc, eq, gt, ilike, isNotNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { likeSubstring } from "../database/like.ts";
import { toUser, userColumns } from "../accounts/users.ts";
import type { Query } from "../database/connect.ts";
import { type Params, prepareQuery } from "../database/prepared.ts";
import { memberships, rooms, users } from "../database/schema.ts";
import { decodeCursor, toPage } from "../platform/cursor.ts";
import type { AdminRoom } from "../wire/admin.ts";
import type { MyRoom, Page, Room } from "../wire/models.ts";
import type { AdminRoomQuery, PageQuery } from "../wire/queries.ts";
import { readSeat, type MembershipRow, type RoomRow, refusalFor } from "./access.ts";
import { MENTION_COUNT, UNREAD } from "./unread.ts";

type Found = {
  room: RoomRow;
  owner: Parameters<typeof toUser>[0];
  membership: MembershipRow | null;
  unread: boolean;
  mentions: number;
};

const ownership = alias(memberships, "ownership");

/** Rooms with their owners and the viewer's memberships, by name. */
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

async function listPage(
  tx: Query,
  viewerId: string,
  where: SQL | undefined,
  query: PageQuery,
): Promise<Page<MyRoom>> {
  const after = decodeCursor(query.cursor);
  const onward = after === null ? undefined : gt(rooms.name, after);
  const rows = await findRooms(tx, viewerId, and(where, onward), query.limit + 1);
  return toPage(rows, query.limit, (row) => row.room.name, toMyRoom);
}

/** The rooms that the viewer is in. */
export function listRooms(tx: Query, viewerId: string, query: PageQuery): Promise<Page<MyRoom>> {
  return listPage(tx, viewerId, isNotNull(memberships.userId), query);
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
  return listPage(tx, viewerId, where, query);
}

/** @throws Refusal `room_not_found` */
export async function getRoom(tx: Query, viewerId: string, roomId: string): Promise<MyRoom> {
  await readSeat(tx, viewerId, roomId, "see");
  const [found] = await findRooms(tx, viewerId, eq(rooms.id, roomId), 1);
  // Deleted between the two reads.
  if (!found) throw refusalFor(null, null, "see");
  return toMyRoom(found);
}

/** Rooms by id as events carry them, for no viewer in particular; deleted ones are left out. */
export async function readRooms(tx: Query, roomIds: string[]): Promise<Map<string, Room>> {
  if (roomIds.length === 0) return new Map();
  const found = await findRooms(
    tx,
    NOBODY,
    sql`${rooms.id} = any(${sql.param(roomIds)}::uuid[])`,
    roomIds.length,
  );
  return new Map(found.map((one) => [one.room.id, toRoom(one)]));
}

const NOBODY = "00000000-0000-0000-0000-000000000000";

/** All rooms whose name contains the query, by name, private ones included: for administrators. */
export async function listAdminRooms(tx: Query, query: AdminRoomQuery): Promise<Page<AdminRoom>> {
  const text = query.query?.trim();
  const after = decodeCursor(query.cursor);
  const where = and(
    after === null ? undefined : gt(rooms.name, after),
    query.status === undefined ? undefined : eq(rooms.isArchived, query.status === "archived"),
    text ? ilike(rooms.name, likeSubstring(text)) : undefined,
  );
  const rows = await findRooms(tx, NOBODY, where, query.limit + 1);
  return toPage(rows, query.limit, (row) => row.room.name, toAdminRoom);
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

/** All rooms by name, for operators. */
export async function listAllRooms(tx: Query): Promise<Room[]> {
  return (await findRooms(tx, NOBODY, undefined, 100_000)).map(toRoom);
}

const findPositions = prepareQuery("room_positions", (db, params: Params<{ ids: string[] }>) =>
  db
    .select({ id: rooms.id, lastSeq: rooms.lastSeq })
    .from(rooms)
    .where(sql`${rooms.id} = any(${params.ids}::uuid[])`),
);

/** The last log number of each of these rooms that exists. */
export async function readPositions(db: Query, roomIds: string[]): Promise<Map<string, number>> {
  const rows = await findPositions(db, { ids: roomIds });
  return new Map(rows.map((row) => [row.id, row.lastSeq]));
}
