import { and, asc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { toUser, userColumns, userFromRow } from "../accounts/users.ts";
import { coalesceReads } from "../database/coalesce-reads.ts";
import type { Query, SqlClient } from "../database/connect.ts";
import { type Params, prepareQuery } from "../database/prepared.ts";
import { memberships, rooms, users } from "../database/schema.ts";
import type { MyRoom, Room } from "../wire/models.ts";
import { checkSeat, type RoomRow, refusalFor } from "./access.ts";
import { NO_PINS, toPins } from "./newest-pin.ts";
import { type MyRoomRow, readSeatRooms } from "./read-statements.ts";

type Found = { room: RoomRow & { name: string }; owner: Parameters<typeof toUser>[0] };

const ownership = alias(memberships, "ownership");

/** Rooms with their owners, by name. */
function findRooms(tx: Query, where: SQL | undefined, limit: number): Promise<Found[]> {
  return tx
    .select({
      room: { ...getTableColumns(rooms), name: sql<string>`${rooms.name}` },
      owner: userColumns,
    })
    .from(rooms)
    .innerJoin(ownership, and(eq(ownership.roomId, rooms.id), eq(ownership.role, "owner")))
    .innerJoin(users, eq(users.id, ownership.userId))
    .where(and(eq(rooms.kind, "room"), where))
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
    is_default: room.isDefault,
    pinning: room.pinning,
    threads: room.threads,
    owner: toUser(owner),
    created_at: room.createdAt.toISOString(),
    member_count: room.memberCount,
    last_message_at: room.lastMessageAt?.toISOString() ?? null,
    seq: room.lastSeq,
  };
}

/** A room as its viewer sees it. */
export function toMyRoom(row: MyRoomRow): MyRoom {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    privacy: row.privacy,
    is_archived: row.is_archived,
    is_default: row.is_default,
    pinning: row.pinning,
    threads: row.threads,
    owner: userFromRow(row.owner_id, row),
    created_at: row.created_at.toISOString(),
    member_count: row.member_count,
    last_message_at: row.last_message_at?.toISOString() ?? null,
    seq: row.last_seq,
    ...(row.role ? toPins(row) : NO_PINS),
    membership: row.role && {
      role: row.role,
      last_read_at: row.last_read_at.toISOString(),
      last_read_seq: row.last_read_seq,
      notify: row.notify,
      thread_push: row.thread_push,
      unread: row.unread,
      mention_count: row.mention_count,
      pinned_at: row.pinned_at?.toISOString() ?? null,
      version: row.version,
    },
  };
}

const readSeatRoom = coalesceReads(readSeatRooms);

/**
 * The seat is checked before the room is read, which takes longer for one that exists than for one that
 * does not (`bench/hidden.ts`).
 * @throws Refusal `room_not_found`
 */
export async function requireRoom(sql: SqlClient, userId: string, roomId: string): Promise<MyRoom> {
  await checkSeat(sql, userId, roomId, "see");
  const row = await readSeatRoom(sql, { userId, roomId });
  const refusal = refusalFor(row, row?.role ?? null, "see");
  if (refusal || !row) throw refusal;
  return toMyRoom(row);
}

/** Rooms by id as events carry them, for no viewer in particular; deleted ones are left out. */
export async function readRooms(tx: Query, roomIds: string[]): Promise<Map<string, Room>> {
  if (roomIds.length === 0) return new Map();
  const found = await findRooms(
    tx,
    sql`${rooms.id} = any(${sql.param(roomIds)}::uuid[])`,
    roomIds.length,
  );
  return new Map(found.map((one) => [one.room.id, toRoom(one)]));
}

/** @throws Refusal `room_not_found` */
export async function requireAdminRoom(tx: Query, roomId: string): Promise<Room> {
  const [found] = await findRooms(tx, eq(rooms.id, roomId), 1);
  if (!found) throw refusalFor(null, null, "see");
  return toRoom(found);
}

/** All rooms by name, for operators. */
export async function listAllRooms(tx: Query): Promise<Room[]> {
  return (await findRooms(tx, undefined, 100_000)).map(toRoom);
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
