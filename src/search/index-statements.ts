/**
 * By hand: lateral joins, lists of rows, and statements that write the index and move a room's place in
 * one.
 *
 * A room's places (`search_rooms`) move only from where they were read, so of two processes that index
 * the same messages one changes nothing. Both places are compared when older messages are indexed: what
 * was read then is not older than what the log has brought since.
 */
import type { SqlClient } from "../database/connect.ts";
import type { RoomEventType } from "../wire/events.ts";
import { type IndexedMessageRow, TOKENS_VERSION } from "./tokens.ts";

/** Rooms are divided among this many jobs, by their number. */
export const SHARDS = 16;
/** A room with a shorter log is indexed by its log from the start. */
const SHORT_LOG = 1_000;

const indexedColumns = (sql: SqlClient) => sql`
  m.id, m.room_id, m.seq, m.content, m.via_name, u.is_bot, u.number as author_number,
  m.image_id is not null as has_image, m.preview_url is not null as has_link,
  (select name from message_files where id = m.file_id) as file_name,
  (
    select title from link_previews
    where url_hash = sha256(convert_to(m.preview_url, 'UTF8')) and not has_failed
  ) as preview_title,
  (select title from threads where message_id = m.id) as thread_title,
  array(
    select x.number from message_mentions join users x on x.id = user_id
    where m.has_embeds and message_id = m.id
  ) as mention_numbers`;

/** What there is to do for a shard. */
export type ShardWork = {
  shard: number;
  /** Entries of logs that are not indexed yet. */
  lag: number;
  is_unfilled: boolean;
};

/** The shards in which messages are not indexed yet. */
export function findShardWork(sql: SqlClient): Promise<ShardWork[]> {
  return sql<ShardWork[]>`
    select r.number % ${SHARDS}::int as shard,
      sum(r.last_seq - coalesce(s.after_seq, 0))::bigint as lag,
      bool_or(s.back_seq > 0 or s.version < ${TOKENS_VERSION}::int) is true as is_unfilled
    from rooms r left join search_rooms s on s.room_id = r.id
    where r.deleted_at is null and (coalesce(s.after_seq, 0) < r.last_seq
      or s.back_seq > 0 or s.version < ${TOKENS_VERSION}::int)
    group by 1 order by 1`;
}

/**
 * Begins to index the rooms of shards that are new and have a log. A long room is followed from now on, and its
 * messages are indexed backward.
 */
export async function addSearchRooms(sql: SqlClient, shards: number[]): Promise<void> {
  await sql`
    insert into search_rooms (room_id, after_seq, back_seq, version)
    select r.id, case when r.last_seq <= ${SHORT_LOG}::int then 0 else r.last_seq end,
      case when r.last_seq <= ${SHORT_LOG}::int then 0 else r.last_seq + 1 end,
      ${TOKENS_VERSION}::int
    from rooms r
    where r.number % ${SHARDS}::int = any(${shards}::int[]) and r.deleted_at is null
      and r.last_seq > 0 and not exists (select from search_rooms where room_id = r.id)
    on conflict do nothing`;
}

/** Has the rooms of a shard indexed again that an older way of cutting texts has indexed. */
export async function renewSearchRooms(sql: SqlClient, shard: number): Promise<void> {
  await sql`
    update search_rooms s set back_seq = s.after_seq + 1, version = ${TOKENS_VERSION}::int
    from rooms r
    where r.id = s.room_id and r.number % ${SHARDS}::int = ${shard}::int
      and s.version < ${TOKENS_VERSION}::int`;
}

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

/** Messages as they are now, in no order. */
export function readIndexedMessages(sql: SqlClient, ids: string[]): Promise<IndexedMessageRow[]> {
  return sql<IndexedMessageRow[]>`
    select ${indexedColumns(sql)}, r.number as room_number
    from messages m join users u on u.id = m.author_id join rooms r on r.id = m.room_id
    where m.id = any(${ids}::uuid[]) and m.deleted_at is null`;
}

/** From where to where a room's place in its log moves. */
export type Step = { roomId: string; from: number; to: number };
/** A message's row of the index. */
export type IndexRow = { id: string; roomId: string; authorNumber: number; words: string };

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

/** The insert of `IndexRow`s whose room is in the statement's `moved`. */
function insertRows(sql: SqlClient, rows: IndexRow[]) {
  return sql`
    insert into message_search (message_id, room_id, author_number, words)
    select i.message_id, i.room_id, i.author_number, i.words::tsvector
    from unnest(
      ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ roomId }) => roomId)}::uuid[],
      ${rows.map(({ authorNumber }) => authorNumber)}::int[],
      ${rows.map(({ words }) => words)}::text[]
    ) as i(message_id, room_id, author_number, words)
    where i.room_id in (select room_id from moved)
    on conflict (message_id) do update set words = excluded.words`;
}

/** A room whose older messages are not indexed yet. */
export type UnfilledRoom = { room_id: string; after_seq: number; back_seq: number };

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

/**
 * Removes rows of the index whose message no longer exists.
 * @param after where to go on
 * @returns the last row that was looked at; null when there are no more
 */
export async function removeLeftoverRows(
  sql: SqlClient,
  after: string,
  limit: number,
): Promise<string | null> {
  const [row] = await sql<{ last: string | null }[]>`
    with page as (
      select message_id from message_search where message_id > ${after}
      order by message_id limit ${limit}
    ), removed as (
      delete from message_search where message_id = any(array(
        select message_id from page
        where not exists (select from messages where id = page.message_id)
      ))
    )
    select (select message_id from page order by message_id desc limit 1) as last`;
  return row?.last ?? null;
}
