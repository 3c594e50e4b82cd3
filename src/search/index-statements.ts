/**
 * Hand-written SQL: lists of rows. What both directions of indexing share; `forward-statements.ts`
 * follows the logs, and `backward-statements.ts` indexes older messages.
 */
import type { SqlClient } from "../database/connect.ts";
import { type IndexedMessageRow, TOKENS_VERSION } from "./tokens.ts";

/** Rooms are divided among this many jobs, by their number. */
export const SHARDS = 16;
/** A room with a shorter log is indexed by its log from the start. */
const SHORT_LOG = 1_000;

/** The columns of `IndexedMessageRow` that come from a message `m` and its author `u`. */
export const indexedColumns = (sql: SqlClient) => sql`
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
type ShardWork = {
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

/** Has rooms of a shard indexed again if an older tokenizer has indexed them. */
export async function renewSearchRooms(sql: SqlClient, shard: number): Promise<void> {
  await sql`
    update search_rooms s set back_seq = s.after_seq + 1, version = ${TOKENS_VERSION}::int
    from rooms r
    where r.id = s.room_id and r.number % ${SHARDS}::int = ${shard}::int
      and s.version < ${TOKENS_VERSION}::int`;
}

/** Messages as they are now, in no order. */
export function readIndexedMessages(sql: SqlClient, ids: string[]): Promise<IndexedMessageRow[]> {
  return sql<IndexedMessageRow[]>`
    select ${indexedColumns(sql)}, r.number as room_number
    from messages m join users u on u.id = m.author_id join rooms r on r.id = m.room_id
    where m.id = any(${ids}::uuid[]) and m.deleted_at is null`;
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

/** A message's row of the index. */
export type IndexRow = { id: string; roomId: string; authorNumber: number; words: string };

/** The insert of `IndexRow`s whose room is in the statement's `moved`. */
export function insertRows(sql: SqlClient, rows: IndexRow[]) {
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
