import { and, asc, eq, gt, ilike, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { LRUCache } from "lru-cache";
import type { Query, SqlClient } from "../database/connect.ts";
import { likeSubstring } from "../database/like.ts";
import { memberships, rooms, users } from "../database/schema.ts";
import { decodeCursor, toPage } from "../platform/input/cursor.ts";
import type { Actor } from "../routing/actor.ts";
import { userColumns } from "../users/users.ts";
import { MAX_ROOMS_AT_ONCE } from "../wire/limits.ts";
import type { MyRoom, Page, Room } from "../wire/models.ts";
import type { AdminRoomQuery, BrowseQuery, PageQuery, RoomsQuery } from "../wire/queries.ts";
import { refusalFor } from "./access.ts";
import { mutedUntil } from "./muted.ts";
import { toCallersRoom } from "./newest-pin.ts";
import {
  type MyRoomRow,
  PAGE_COLUMNS,
  type RoomRow,
  selectViewersRooms,
  toMyRoom,
  toRoom,
} from "./viewers-rooms.ts";

/** A cached room takes about 1 kB. */
const MAX_CACHED_ROOMS = 20_000;

/**
 * Lists the rooms that the caller is in, by name.
 * @param lists the cache of whole lists; a single page is read from the database
 */
export async function listRooms(
  lists: RoomLists,
  caller: Actor,
  { all, cursor, limit }: RoomsQuery,
): Promise<Page<MyRoom>> {
  const pageLimit = all ? MAX_ROOMS_AT_ONCE : limit;
  const range = rangeOf({ cursor, limit: pageLimit });
  const rooms = await (all && cursor === undefined
    ? lists.read(caller.id, range)
    : selectMemberRooms(lists.sql, caller.id, range).then((rows) => rows.map(toMyRoom)));
  return toPage(
    rooms,
    pageLimit,
    (room) => room.name,
    (room) => toCallersRoom(caller, room),
  );
}

/**
 * A cache of people's lists of rooms. An entry is valid while the versions of the person's memberships, of
 * the rooms' logs and of `people_version` are those that were read before it, and as many rooms are muted until a
 * time: every change of what a list shows changes one of them.
 */
export class RoomLists {
  readonly #lists = new LRUCache<string, { versions: string; rooms: MyRoom[] }>({
    maxSize: MAX_CACHED_ROOMS,
    sizeCalculation: ({ rooms }) => rooms.length + 1,
  });

  constructor(readonly sql: SqlClient) {}

  async read(userId: string, range: Range): Promise<MyRoom[]> {
    const { sql } = this;
    const versionsOf = sql`
      select concat_ws(' ', count(*), sum(m.version), sum(r.last_seq),
        count(${sql.unsafe(mutedUntil("m"))}),
        (select version from people_version)) as versions
      from memberships m join rooms r on r.id = m.room_id
      where m.user_id = ${userId} and not m.is_direct`;
    const cached = this.#lists.get(userId);
    if (cached) {
      const [row] = await sql<[{ versions: string }]>`${versionsOf}`;
      if (row.versions === cached.versions) return cached.rooms;
    }
    // One statement, since after a restart everyone loads their list.
    const rows = await sql<(MyRoomRow & { versions: string })[]>`
      select *, (${versionsOf}) as versions
      from (${selectMemberRooms(sql, userId, range)}) rooms order by name`;
    const rooms = rows.map(toMyRoom);
    const [row] = rows;
    if (row) this.#lists.set(userId, { versions: row.versions, rooms });
    return rooms;
  }
}

type Range = { after: string; limit: number };

/** The first page begins after the empty string, which sorts before every name. */
function rangeOf({ cursor, limit }: PageQuery): Range {
  return { after: decodeCursor(cursor) ?? "", limit: limit + 1 };
}

/** `offset 0` makes PostgreSQL join before it sorts. It would otherwise read every room of the site by name. */
function selectMemberRooms(sql: SqlClient, userId: string, { after, limit }: Range) {
  const page = sql`
    select * from (
      select ${sql.unsafe(PAGE_COLUMNS.room)} from memberships m join rooms r on r.id = m.room_id
      where m.user_id = ${userId} and not m.is_direct and r.name > ${after}
      offset 0
    ) mine order by name limit ${limit}`;
  return sql<MyRoomRow[]>`${selectViewersRooms(sql, "room", page)} order by memberships.name`;
}

export async function browseRooms(
  sql: SqlClient,
  caller: Actor,
  { query = "", cursor, limit, sort = "name", joined }: BrowseQuery,
): Promise<Page<MyRoom>> {
  const range = rangeOf({ cursor, limit });
  const pattern = likeSubstring(query.trim());
  const filter = { pattern, joined: joined === undefined ? undefined : joined === "true" };
  const rows = await readOpenRooms(sql, caller.id, range, filter, sort);
  return toPage(
    rows,
    limit,
    (row) => row.sort_key,
    (row) => toCallersRoom(caller, toMyRoom(row)),
  );
}

type RoomSort = NonNullable<BrowseQuery["sort"]>;

/** SQL: a text that sorts rooms, unique for each. Larger numbers make smaller texts. Names contain no slash. */
const SORT_KEYS: Record<RoomSort, string> = {
  name: "name",
  members: `lpad((2147483647 - member_count)::text, 10, '0') || '/' || name collate "C"`,
  activity: `lpad((9999999999999 - coalesce(floor(extract(epoch from last_message_at) * 1000), 0)
    )::bigint::text, 13, '0') || '/' || name collate "C"`,
};

/** @param range `after` is the sort key of the last room of the previous page */
function readOpenRooms(
  sql: SqlClient,
  userId: string,
  { after, limit }: Range,
  { pattern, joined }: { pattern: string; joined?: boolean },
  sort: RoomSort,
) {
  const key = sql.unsafe(SORT_KEYS[sort]);
  const isJoined = sql`exists (
    select from memberships where room_id = rooms.id and user_id = ${userId}
  )`;
  const page = sql`
    select ${sql.unsafe(PAGE_COLUMNS.room)}, r.sort_key from (
      select *, ${key} as sort_key from rooms
      where privacy = 'open' and not is_archived and deleted_at is null and ${key} > ${after}
        and case when ${pattern} = '%%' then true else name ilike ${pattern} end
        ${joined === undefined ? sql`` : joined ? sql`and ${isJoined}` : sql`and not ${isJoined}`}
      order by ${key} limit ${limit}
    ) r
    left join lateral (
      select * from memberships where room_id = r.id and user_id = ${userId} limit 1
    ) m on true`;
  return sql<(MyRoomRow & { sort_key: string })[]>`
    ${selectViewersRooms(sql, "room", page)} order by memberships.sort_key`;
}

const ownership = alias(memberships, "ownership");
const { id: ownerId, ...ownerColumns } = userColumns;

/** Reads rooms by name, without anyone's membership. */
function findRooms(tx: Query, where: SQL | undefined, limit: number): Promise<RoomRow[]> {
  return tx
    .select({
      id: rooms.id,
      name: sql<string>`${rooms.name}`,
      description: rooms.description,
      privacy: rooms.privacy,
      is_archived: rooms.isArchived,
      is_default: rooms.isDefault,
      pinning: rooms.pinning,
      threads: rooms.threads,
      created_at: rooms.createdAt,
      member_count: rooms.memberCount,
      last_message_at: rooms.lastMessageAt,
      last_seq: rooms.lastSeq,
      private_until_seq: rooms.privateUntilSeq,
      owner_id: ownerId,
      ...ownerColumns,
    })
    .from(rooms)
    .innerJoin(ownership, and(eq(ownership.roomId, rooms.id), eq(ownership.role, "owner")))
    .innerJoin(users, eq(users.id, ownership.userId))
    .where(and(eq(rooms.kind, "room"), where))
    .orderBy(asc(rooms.name))
    .limit(limit);
}

/** Reads rooms by id as events contain them. Rooms that do not exist are omitted. */
export async function readRooms(tx: Query, roomIds: string[]): Promise<Map<string, Room>> {
  if (roomIds.length === 0) return new Map();
  const isOneOf = sql`${rooms.id} = any(${sql.param(roomIds)}::uuid[])`;
  const rows = await findRooms(tx, isOneOf, roomIds.length);
  return new Map(rows.map((row) => [row.id, toRoom(row)]));
}

/** @throws Refusal `room_not_found` */
export async function requireAdminRoom(tx: Query, roomId: string): Promise<Room> {
  const [row] = await findRooms(tx, eq(rooms.id, roomId), 1);
  if (!row) throw refusalFor(null, null, "see");
  return toRoom(row);
}

/** Lists rooms whose name contains the query, private ones included. */
export async function listAdminRooms(
  db: Query,
  { query, status, cursor, limit }: AdminRoomQuery,
): Promise<Page<Room>> {
  const text = query?.trim();
  const range = rangeOf({ cursor, limit });
  const where = and(
    gt(rooms.name, range.after),
    status && eq(rooms.isArchived, status === "archived"),
    text ? ilike(rooms.name, likeSubstring(text)) : undefined,
  );
  return toPage(await findRooms(db, where, range.limit), limit, (row) => row.name, toRoom);
}

export async function listAllRooms(tx: Query): Promise<Room[]> {
  return (await findRooms(tx, undefined, 100_000)).map(toRoom);
}

/** Reads the last log number of each of these rooms. Rooms that do not exist are omitted. */
export async function readPositions(db: Query, roomIds: string[]): Promise<Map<string, number>> {
  const rows = await db
    .select({ id: rooms.id, lastSeq: rooms.lastSeq })
    .from(rooms)
    .where(sql`${rooms.id} = any(${sql.param(roomIds)}::uuid[])`);
  return new Map(rows.map((row) => [row.id, row.lastSeq]));
}
