/**
 * Hand-written SQL: lists that start from the reader's memberships and read a bounded number of
 * rows of each thread (lateral).
 */
import type { SqlClient } from "../../database/connect.ts";
import { MAX_THREAD_UNREAD, MAX_UNREAD } from "../../wire/limits.ts";
import type { FollowRow } from "./follow-statements.ts";
import { READ_SEQ, REPLIED_SEQ } from "./marks.ts";

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
  case when f.is_following and t.resolved_at is null and t.last_reply_seq > ${sql.unsafe(READ_SEQ)} then (
    select count(*)::int from (
      select from (
        select author_id, via_name from messages
        where thread_id = t.message_id and seq > ${sql.unsafe(READ_SEQ)}
        order by seq desc limit ${MAX_UNREAD}
      ) m where author_id <> ${userId} or via_name is not null limit ${MAX_THREAD_UNREAD}
    ) counted
  ) else 0 end`;

const listColumns = (sql: SqlClient, userId: string) => sql`
  t.message_id as thread_id, t.last_reply_at, t.last_reply_seq, t.room_id, r.name as room_name,
  coalesce(f.is_following, false) as is_following, ${sql.unsafe(READ_SEQ)} as read_seq,
  ${sql.unsafe(REPLIED_SEQ)} as replied_seq,
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
        ${key.isUnread ? sql`and t.resolved_at is null and t.last_reply_seq > ${sql.unsafe(READ_SEQ)}` : sql``}
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
      select is_following, ${sql.unsafe(READ_SEQ)} as read_seq, ${sql.unsafe(REPLIED_SEQ)} as replied_seq
      from thread_follows f join threads t on t.message_id = f.thread_id
      where f.user_id = asked.viewer_id and f.thread_id = m.root_id limit 1
    ) f on true
    order by asked.n`;
}
