/**
 * Hand-written SQL: lists that start from the reader's memberships and read a bounded number of
 * rows of each thread (lateral), and marks that move and are announced in one statement (a CTE that
 * writes, pg_notify).
 */
import type { Fragment, SqlClient } from "../../database/connect.ts";
import { notifyInStatement } from "../../feed/statements.ts";
import { MAX_THREAD_UNREAD, MAX_UNREAD } from "../../wire/limits.ts";

/** A thread of a list, with what the reader has of it; nulls where there is no row of theirs. */
export type ThreadListRow = {
  thread_id: string;
  last_reply_at: Date;
  last_reply_seq: number;
  room_id: string;
  room_name: string;
  is_following: boolean;
  read_seq: number | null;
  replied_seq: number | null;
  unread_count: number;
};

/** Where a page begins: with older threads, and with those of the same time that have a smaller id. */
export type ThreadPlace = { at: Date; threadId: string };

/**
 * SQL, for a thread `t` and its reader's row `f`: unread replies of others; none if the thread is
 * done.
 */
const unreadCount = (sql: SqlClient, userId: string) => sql`
  case when f.is_following and t.resolved_at is null and t.last_reply_seq > f.read_seq then (
    select count(*)::int from (
      select from (
        select author_id, via_name from messages
        where thread_id = t.message_id and seq > f.read_seq
        order by seq desc limit ${MAX_UNREAD}
      ) m where author_id <> ${userId} or via_name is not null limit ${MAX_THREAD_UNREAD}
    ) counted
  ) else 0 end`;

const listColumns = (sql: SqlClient, userId: string) => sql`
  t.message_id as thread_id, t.last_reply_at, t.last_reply_seq, t.room_id, r.name as room_name,
  coalesce(f.is_following, false) as is_following, f.read_seq, f.replied_seq,
  ${unreadCount(sql, userId)} as unread_count`;

/** Threads that someone follows in the rooms that they are in now, those with the newest reply first. */
export function readFollowedThreads(
  sql: SqlClient,
  userId: string,
  key: { roomId: string | null; isUnread: boolean; before: ThreadPlace; limit: number },
): Promise<ThreadListRow[]> {
  const { at, threadId } = key.before;
  return sql<ThreadListRow[]>`
    select * from (
      select ${listColumns(sql, userId)}
      from memberships ms
      join thread_follows f on f.user_id = ms.user_id and f.room_id = ms.room_id and f.is_following
      join threads t on t.message_id = f.thread_id
      join rooms r on r.id = ms.room_id and r.deleted_at is null
      where ms.user_id = ${userId} and (${key.roomId}::uuid is null or ms.room_id = ${key.roomId}::uuid)
        and (t.last_reply_at, t.message_id) < (${at}, ${threadId}::uuid)
        ${key.isUnread ? sql`and t.resolved_at is null and t.last_reply_seq > f.read_seq` : sql``}
    ) listed
    ${key.isUnread ? sql`where unread_count > 0` : sql``}
    order by last_reply_at desc, thread_id desc limit ${key.limit}`;
}

/** All threads of a room, those with the newest reply first. */
export function readThreadsOfRoom(
  sql: SqlClient,
  userId: string,
  key: { roomId: string; beforeSeq: number; limit: number },
): Promise<ThreadListRow[]> {
  return sql<ThreadListRow[]>`
    select ${listColumns(sql, userId)}
    from (
      select * from threads where room_id = ${key.roomId} and last_reply_seq < ${key.beforeSeq}
      order by last_reply_seq desc limit ${key.limit}
    ) t
    join rooms r on r.id = t.room_id
    left join thread_follows f on f.user_id = ${userId} and f.thread_id = t.message_id
    order by t.last_reply_seq desc`;
}

/** Nulls for one who never followed it. */
export type FollowRow = {
  is_following: boolean | null;
  read_seq: number | null;
  replied_seq: number | null;
};

/** Where a message is, and what someone has of its thread; nulls where there is no such message. */
type ThreadPlaceRow = FollowRow &
  ({ room_id: string; root_id: string; seq: number } | { room_id: null; root_id: null });

export function readThreadPlaces(
  sql: SqlClient,
  asked: { viewerId: string; messageId: string }[],
): Promise<ThreadPlaceRow[]> {
  return sql<ThreadPlaceRow[]>`
    select m.room_id, m.root_id, m.seq, f.is_following, f.read_seq, f.replied_seq
    from unnest(
      ${asked.map(({ viewerId }) => viewerId)}::uuid[],
      ${asked.map(({ messageId }) => messageId)}::uuid[]
    ) with ordinality as asked(viewer_id, message_id, n)
    left join lateral (
      select room_id, coalesce(thread_id, id) as root_id, seq from messages
      where id = asked.message_id limit 1
    ) m on true
    left join lateral (
      select is_following, read_seq, replied_seq from thread_follows
      where user_id = asked.viewer_id and thread_id = m.root_id limit 1
    ) f on true
    order by asked.n`;
}

/** Whether someone follows a thread, and up to where it is read; null if never followed. */
export async function readFollow(
  sql: SqlClient,
  userId: string,
  threadId: string,
): Promise<FollowRow | null> {
  const [row] = await sql<FollowRow[]>`
    select is_following, read_seq, replied_seq from thread_follows
    where user_id = ${userId} and thread_id = ${threadId}`;
  return row ?? null;
}

const announceMark = (sql: SqlClient) =>
  notifyInStatement(
    sql,
    "thread_read",
    sql`'user_id', user_id, 'thread_id', thread_id, 'read_seq', read_seq, 'replied_seq', replied_seq`,
  );

/** Moves the mark of one who follows a thread forward, at most to its last reply. */
export async function moveThreadMark(
  sql: SqlClient,
  userId: string,
  threadId: string,
  seq: number | null,
): Promise<void> {
  await moveMarks(
    sql,
    sql`
      update thread_follows f
      set read_seq = least(t.last_reply_seq, coalesce(${seq}::bigint, t.last_reply_seq))
      from threads t
      where t.message_id = ${threadId} and f.thread_id = ${threadId} and f.user_id = ${userId}
        and f.is_following
        and f.read_seq < least(t.last_reply_seq, coalesce(${seq}::bigint, t.last_reply_seq))`,
  );
}

/** Moves the mark back to before a reply, if it is after it. */
export async function moveThreadMarkBack(
  sql: SqlClient,
  userId: string,
  threadId: string,
  seq: number,
): Promise<void> {
  await moveMarks(
    sql,
    sql`
      update thread_follows f set read_seq = ${seq}::bigint
      where f.thread_id = ${threadId} and f.user_id = ${userId} and f.is_following
        and f.read_seq > ${seq}::bigint`,
  );
}

/** Marks all threads that someone follows read, of one room or of all. */
export async function moveAllThreadMarks(
  sql: SqlClient,
  userId: string,
  roomId: string | null,
): Promise<void> {
  await sql`
    with behind as materialized (
      select f.thread_id, t.last_reply_seq
      from thread_follows f join threads t on t.message_id = f.thread_id
      where f.user_id = ${userId} and f.is_following and f.read_seq < t.last_reply_seq
        and (${roomId}::uuid is null or f.room_id = ${roomId}::uuid)
      -- In one order, so that two devices that do this at once do not deadlock.
      order by f.thread_id for update of f
    ), moved as (
      update thread_follows f set read_seq = b.last_reply_seq
      from behind b where f.user_id = ${userId} and f.thread_id = b.thread_id
      returning f.user_id, f.thread_id, f.read_seq, f.replied_seq
    )
    select ${announceMark(sql)} from moved`;
}

/** Nobody who was away for this long looks for new replies in a thread. */
const SILENT_DAYS = 180;

/**
 * Deletes what people follow of threads without a reply for 180 days, those of some threads at a time.
 * @param after where to go on, a thread's id
 * @returns the last thread that was looked at; null when there are no more
 */
export async function pruneFollows(
  sql: SqlClient,
  after: string,
  limit: number,
): Promise<string | null> {
  const [row] = await sql<{ last: string | null }[]>`
    with page as materialized (
      select message_id, last_reply_at from threads where message_id > ${after}
      order by message_id limit ${limit}
    ), pruned as (
      delete from thread_follows where thread_id = any(array(
        select message_id from page
        where last_reply_at < statement_timestamp() - ${SILENT_DAYS} * interval '1 day'
      ))
    )
    select (select message_id from page order by message_id desc limit 1) as last`;
  return row?.last ?? null;
}

async function moveMarks(sql: SqlClient, update: Fragment): Promise<void> {
  await sql`
    with moved as (${update} returning f.user_id, f.thread_id, f.read_seq, f.replied_seq)
    select ${announceMark(sql)} from moved`;
}
