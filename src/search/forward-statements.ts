/**
 * Hand-written SQL: lateral joins, lists of rows, and statements that write the index and move a
 * room's place in one. A place (`search_rooms.after_seq`) moves only from where it was read, so of
 * two processes that index the same messages one changes nothing.
 */
import type { SqlClient } from "../database/connect.ts";
import type { RoomEventType } from "../wire/events.ts";
import { type IndexRow, insertRows, SHARDS } from "./index-statements.ts";
import { TOKENS_VERSION } from "./tokens.ts";

/** An entry of a log that the index has not followed yet; no `seq` where the log has none. */
export type UnindexedEntry = {
  room_id: string;
  after_seq: number;
  last_seq: number;
  seq: number | null;
  type: RoomEventType;
  message_id: string | null;
};

/** The next entries of the logs of shards' rooms, each room's in order and without a gap. */
export function readUnindexedEntries(
  sql: SqlClient,
  shards: number[],
  limit: number,
): Promise<UnindexedEntry[]> {
  return sql<UnindexedEntry[]>`
    select b.room_id, b.after_seq, b.last_seq, l.seq, l.type, l.message_id
    from (
      select s.room_id, s.after_seq, r.last_seq from search_rooms s join rooms r on r.id = s.room_id
      where r.number % ${SHARDS}::int = any(${shards}::int[]) and s.after_seq < r.last_seq
        and s.version = ${TOKENS_VERSION}::int and r.deleted_at is null
      order by r.last_message_at desc nulls last, s.room_id limit ${limit}
    ) b
    left join lateral (
      select seq, type, message_id from room_log
      where room_id = b.room_id and seq > b.after_seq order by seq limit ${limit}
    ) l on true
    order by b.room_id, l.seq limit ${limit}`;
}

/** From where to where a room's place in its log moves. */
export type Step = { roomId: string; from: number; to: number };
/**
 * Indexes messages, removes others from the index, and moves their rooms on: nothing of a room that is
 * no longer where it was read.
 */
export async function writeForward(
  sql: SqlClient,
  steps: Step[],
  rows: IndexRow[],
  removedIds: string[],
): Promise<void> {
  await sql`
    with moved as (
      update search_rooms s set after_seq = p.last
      from unnest(
        ${steps.map(({ roomId }) => roomId)}::uuid[], ${steps.map(({ from }) => from)}::bigint[],
        ${steps.map(({ to }) => to)}::bigint[]
      ) as p(room_id, first, last)
      where s.room_id = p.room_id and s.after_seq = p.first and s.version = ${TOKENS_VERSION}::int
      returning s.room_id
    ), removed as (
      delete from message_search
      where message_id = any(${removedIds}::uuid[]) and room_id in (select room_id from moved)
    )
    ${insertRows(sql, rows)}`;
}

/** Where a log no longer has what the index would follow, all messages of the room are indexed again. */
export async function restartRooms(sql: SqlClient, rooms: Step[]): Promise<void> {
  await sql`
    update search_rooms s set after_seq = p.last, back_seq = p.last + 1
    from unnest(
      ${rooms.map(({ roomId }) => roomId)}::uuid[], ${rooms.map(({ from }) => from)}::bigint[],
      ${rooms.map(({ to }) => to)}::bigint[]
    ) as p(room_id, first, last)
    where s.room_id = p.room_id and s.after_seq = p.first`;
}
