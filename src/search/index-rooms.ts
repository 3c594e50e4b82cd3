import type { SqlClient } from "../database/connect.ts";
import { SMALLEST_ID } from "../platform/ids.ts";
import { Slices } from "../platform/concurrency/slices.ts";
import { type IndexedMessageRow, makeSearchVector, TOKENS_VERSION } from "./tokens.ts";
import type { RoomEventType } from "../wire/events.ts";

/** Types of log entries, other than new messages, that change a message's searchable words. */
const CHANGES: UnindexedEntry["type"][] = ["link_preview", "thread"];
const FORWARD_BATCH = 500;
/** Maximum number of older messages, and of rooms, per batch. */
const BACKWARD_BATCH = 2_000;
const BACKWARD_ROOMS = 20;
const WRITE_BATCH = 500;
/** How long a job indexes older messages before it yields to other jobs. */
const BACKWARD_MS = 2_000;
const LEFTOVER_BATCH = 5_000;

/** Indexes new log entries of the rooms in these shards, asynchronously after messages are posted. */
export async function indexShards(
  sql: SqlClient,
  shards: number[],
  signal: AbortSignal,
): Promise<void> {
  await addSearchRooms(sql, shards);
  while (!signal.aborted) {
    const entries = await readUnindexedEntries(sql, shards, FORWARD_BATCH);
    if (entries.length > 0) await indexEntries(sql, entries);
    if (entries.length < FORWARD_BATCH) return;
  }
}

/** Indexes log entries. A room whose log was pruned is reindexed completely. */
async function indexEntries(sql: SqlClient, entries: UnindexedEntry[]): Promise<void> {
  const steps: Step[] = [];
  const prunedSteps: Step[] = [];
  for (const [roomId, ofRoom] of Map.groupBy(entries, ({ room_id }) => room_id)) {
    const [first, last] = [ofRoom[0], ofRoom.at(-1)];
    if (!first || !last) continue;
    const from = first.after_seq;
    if (first.seq === from + 1) steps.push({ roomId, from, to: last.seq ?? from });
    else prunedSteps.push({ roomId, from, to: first.last_seq });
  }
  if (prunedSteps.length > 0) await restartRooms(sql, prunedSteps);
  if (steps.length === 0) return;
  const isFollowed = new Set(steps.map(({ roomId }) => roomId));
  const changedIds = entries.flatMap(({ room_id, message_id, type }) => {
    const changesIndex = type.startsWith("message") || CHANGES.includes(type);
    return message_id !== null && changesIndex && isFollowed.has(room_id) ? [message_id] : [];
  });
  const ids = [...new Set(changedIds)];
  const messages = ids.length === 0 ? [] : await readIndexedMessages(sql, ids);
  const exists = new Set(messages.map(({ id }) => id));
  const removedIds = ids.filter((id) => !exists.has(id));
  const rows = await new Slices().map(messages, toIndexRow);
  await writeForward(sql, steps, rows, removedIds);
}

function toIndexRow(row: IndexedMessageRow): IndexRow {
  const { id, room_id, author_number } = row;
  return { id, room_id, author_number, words: makeSearchVector(row) };
}

/**
 * Indexes a shard's messages that predate the index or were indexed by an older version. Works backward
 * from the newest in batches, and pauses for at least half of the time.
 */
export async function backfillShard(
  sql: SqlClient,
  shard: number,
  signal: AbortSignal,
  pause: (ms: number) => Promise<unknown> = Bun.sleep,
): Promise<void> {
  await renewSearchRooms(sql, shard);
  const until = performance.now() + BACKWARD_MS;
  while (!signal.aborted && performance.now() < until) {
    const startedAt = performance.now();
    if (!(await backfillSome(sql, shard))) return;
    await pause(performance.now() - startedAt);
  }
}

/** @returns false if no work is left */
async function backfillSome(sql: SqlClient, shard: number): Promise<boolean> {
  const rooms = await findUnfilledRooms(sql, shard, BACKWARD_ROOMS);
  if (rooms.length === 0) return false;
  const limit = Math.ceil(BACKWARD_BATCH / rooms.length);
  const messages = await readMessagesBackward(sql, rooms, limit);
  const byRoom = Map.groupBy(messages, ({ room_id }) => room_id);
  let batch: (typeof rooms)[number][] = [];
  let rows: IndexRow[] = [];
  const slices = new Slices();
  const write = async () => {
    const movedRooms = batch.map((room) => {
      const ofRoom = byRoom.get(room.room_id) ?? [];
      // Fewer rows than the limit: there are no older messages.
      const isWhole = ofRoom.length < limit;
      return { ...room, to: isWhole ? 0 : Math.min(...ofRoom.map(({ seq }) => seq)) };
    });
    if (movedRooms.length > 0) await writeBackward(sql, movedRooms, rows);
    [batch, rows] = [[], []];
  };
  for (const room of rooms) {
    batch.push(room);
    rows.push(...(await slices.map(byRoom.get(room.room_id) ?? [], toIndexRow)));
    if (rows.length >= WRITE_BATCH) await write();
  }
  await write();
  return true;
}

export async function pruneSearchIndex(sql: SqlClient, signal: AbortSignal): Promise<void> {
  for (let after: string | null = SMALLEST_ID; after !== null && !signal.aborted;) {
    const [row]: { last: string | null }[] = await sql`
      with page as (
        select message_id from message_search where message_id > ${after}
        order by message_id limit ${LEFTOVER_BATCH}
      ), removed as (
        delete from message_search where message_id = any(array(
          select message_id from page
          where not exists (select from messages where id = page.message_id)
        ))
      )
      select (select message_id from page order by message_id desc limit 1) as last`;
    after = row?.last ?? null;
  }
}

/** A log entry that has not been indexed. `seq` is null if the log no longer contains the next entry. */
type UnindexedEntry = {
  room_id: string;
  after_seq: number;
  last_seq: number;
  seq: number | null;
  type: RoomEventType;
  message_id: string | null;
};

/** Reads the next log entries of the shards' rooms, in order and without gaps per room. */
function readUnindexedEntries(
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

/** A room's indexing position in its log, before and after a batch. */
type Step = { roomId: string; from: number; to: number };
/**
 * Writes and deletes index rows and advances the rooms' positions. Skips rooms whose position has
 * changed since it was read.
 */
async function writeForward(
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

/** Reindexes rooms completely if their log no longer contains the next entries to index. */
async function restartRooms(sql: SqlClient, rooms: Step[]): Promise<void> {
  await sql`
    update search_rooms s set after_seq = p.last, back_seq = p.last + 1
    from unnest(
      ${rooms.map(({ roomId }) => roomId)}::uuid[], ${rooms.map(({ from }) => from)}::bigint[],
      ${rooms.map(({ to }) => to)}::bigint[]
    ) as p(room_id, first, last)
    where s.room_id = p.room_id and s.after_seq = p.first`;
}

type UnfilledRoom = { room_id: string; after_seq: number; back_seq: number };

/** Finds rooms of a shard with messages to index, ordered by their newest such message. */
function findUnfilledRooms(sql: SqlClient, shard: number, limit: number): Promise<UnfilledRoom[]> {
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

function readMessagesBackward(
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

/**
 * Indexes older messages and moves the rooms' positions back. Skips rooms whose positions have
 * changed since they were read: newer versions of the messages may have been indexed from the log.
 */
async function writeBackward(
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

/** Number of shards. A room's shard is derived from its number. */
export const SHARDS = 16;
/** A room with a shorter log is indexed from the start of its log. */
const SHORT_LOG = 1_000;

/** SQL columns of `IndexedMessageRow`, from a message `m` and its author `u`. */
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

type ShardWork = {
  shard: number;
  /** Log entries that are not indexed yet. */
  lag: number;
  is_unfilled: boolean;
};

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
 * Starts to index the shards' new rooms that have a log. A room with a long log is followed from its
 * current position, and its older messages are indexed backward.
 */
async function addSearchRooms(sql: SqlClient, shards: number[]): Promise<void> {
  await sql`
    insert into search_rooms (room_id, after_seq, back_seq, version)
    select r.id, case when r.last_seq <= ${SHORT_LOG}::int then 0 else r.last_seq end,
      case when r.last_seq <= ${SHORT_LOG}::int then 0 else r.last_seq + 1 end,
      ${TOKENS_VERSION}::int
    from rooms r
    where r.number % ${SHARDS}::int = any(${shards}::int[]) and r.deleted_at is null
      and r.last_seq > 0 and not exists (select from search_rooms where room_id = r.id)
    -- A room that is being deleted is left out.
    for key share of r skip locked
    on conflict do nothing`;
}

/** Restarts the indexing of rooms that were indexed by an older tokenizer. */
async function renewSearchRooms(sql: SqlClient, shard: number): Promise<void> {
  await sql`
    update search_rooms s set back_seq = s.after_seq + 1, version = ${TOKENS_VERSION}::int
    from rooms r
    where r.id = s.room_id and r.number % ${SHARDS}::int = ${shard}::int
      and s.version < ${TOKENS_VERSION}::int`;
}

/** Reads the current state of messages, in any order. */
export function readIndexedMessages(sql: SqlClient, ids: string[]): Promise<IndexedMessageRow[]> {
  return sql<IndexedMessageRow[]>`
    select ${indexedColumns(sql)}, r.number as room_number
    from messages m join users u on u.id = m.author_id join rooms r on r.id = m.room_id
    where m.id = any(${ids}::uuid[]) and m.deleted_at is null`;
}

type IndexRow = { id: string; room_id: string; author_number: number; words: string };

/** SQL that inserts index rows whose room is in the statement's CTE `moved`. */
function insertRows(sql: SqlClient, rows: IndexRow[]) {
  return sql`
    insert into message_search (message_id, room_id, author_number, words)
    select i.message_id, i.room_id, i.author_number, i.words::tsvector
    from unnest(
      ${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.room_id)}::uuid[],
      ${rows.map((row) => row.author_number)}::int[],
      ${rows.map((row) => row.words)}::text[]
    ) as i(message_id, room_id, author_number, words)
    where i.room_id in (select room_id from moved)
    on conflict (message_id) do update set words = excluded.words`;
}
