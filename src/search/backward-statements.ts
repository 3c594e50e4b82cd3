/**
 * Hand-written SQL: lateral joins, lists of rows, and a statement that writes the index and moves
 * rooms' places (`search_rooms.back_seq`) in one. It compares the place of the log too: what was
 * read is then not older than what the log has brought since.
 */
import type { SqlClient } from "../database/connect.ts";
import { indexedColumns, type IndexRow, insertRows, SHARDS } from "./index-statements.ts";
import { type IndexedMessageRow, TOKENS_VERSION } from "./tokens.ts";

/** A room whose older messages are not indexed yet. */
type UnfilledRoom = { room_id: string; after_seq: number; back_seq: number };

/** Rooms of a shard with messages that are not indexed, those with the newest first. */
export function findUnfilledRooms(
  sql: SqlClient,
  shard: number,
  limit: number,
): Promise<UnfilledRoom[]> {
  return sql<UnfilledRoom[]>`
    select s.room_id, s.after_seq, s.back_seq
    from search_rooms s join rooms r on r.id = s.room_id
    left join lateral (
      select id from messages where room_id = s.room_id and seq < s.back_seq order by seq desc limit 1
    ) newest on true
    where r.number % ${SHARDS}::int = ${shard}::int and s.back_seq > 0
      and s.version = ${TOKENS_VERSION}::int and r.deleted_at is null
    order by newest.id desc nulls last, s.room_id limit ${limit}`;
}

/** The newest messages of each room that are not indexed, up to a limit for each. */
export function readMessagesBackward(
  sql: SqlClient,
  rooms: UnfilledRoom[],
  limit: number,
): Promise<IndexedMessageRow[]> {
  return sql<IndexedMessageRow[]>`
    select ${indexedColumns(sql)}, r.number as room_number
    from unnest(
      ${rooms.map((room) => room.room_id)}::uuid[], ${rooms.map((room) => room.back_seq)}::bigint[]
    ) as p(room_id, back_seq)
    join rooms r on r.id = p.room_id
    cross join lateral (
      select * from messages
      where room_id = p.room_id and seq < p.back_seq and deleted_at is null
      order by seq desc limit ${limit}
    ) m
    join users u on u.id = m.author_id`;
}

/** Indexes older messages and moves their rooms' places back, if nothing was indexed meanwhile. */
export async function writeBackward(
  sql: SqlClient,
  rooms: (UnfilledRoom & { to: number })[],
  rows: IndexRow[],
): Promise<void> {
  await sql`
    with moved as (
      update search_rooms s set back_seq = p.last
      from unnest(
        ${rooms.map((room) => room.room_id)}::uuid[],
        ${rooms.map((room) => room.after_seq)}::bigint[],
        ${rooms.map((room) => room.back_seq)}::bigint[], ${rooms.map(({ to }) => to)}::bigint[]
      ) as p(room_id, after_seq, first, last)
      where s.room_id = p.room_id and s.back_seq = p.first and s.after_seq = p.after_seq
        and s.version = ${TOKENS_VERSION}::int
      returning s.room_id
    )
    ${insertRows(sql, rows)}`;
}
