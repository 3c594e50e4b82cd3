/** Hand-written SQL: marks move and are announced in one statement (a CTE that writes, pg_notify). */
import type { Fragment, SqlClient } from "../../database/connect.ts";
import { notifyInStatement } from "../../feed/statements.ts";
import { READ_SEQ, REPLIED_SEQ } from "./marks.ts";

/** Nulls for one who never followed it. */
export type FollowRow = {
  is_following: boolean | null;
  read_seq: number | null;
  replied_seq: number | null;
};

/** Whether someone follows a thread, and up to where it is read; null if never followed. */
export async function readFollow(
  sql: SqlClient,
  userId: string,
  threadId: string,
): Promise<FollowRow | null> {
  const [row] = await sql<FollowRow[]>`
    select is_following, ${sql.unsafe(READ_SEQ)} as read_seq, ${sql.unsafe(REPLIED_SEQ)} as replied_seq
    from thread_follows f join threads t on t.message_id = f.thread_id
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
      set read_seq = least(t.last_reply_seq, coalesce(${seq}::bigint, t.last_reply_seq)),
        replied_seq = ${sql.unsafe(REPLIED_SEQ)}
      from threads t
      where t.message_id = ${threadId} and f.thread_id = ${threadId} and f.user_id = ${userId}
        and f.is_following
        and ${sql.unsafe(READ_SEQ)} < least(t.last_reply_seq, coalesce(${seq}::bigint, t.last_reply_seq))`,
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
      update thread_follows f set read_seq = ${seq}::bigint, replied_seq = ${sql.unsafe(REPLIED_SEQ)}
      from threads t
      where t.message_id = ${threadId} and f.thread_id = ${threadId} and f.user_id = ${userId}
        and f.is_following and ${sql.unsafe(READ_SEQ)} > ${seq}::bigint`,
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
      select f.thread_id, t.last_reply_seq, ${sql.unsafe(REPLIED_SEQ)} as replied_seq
      from thread_follows f join threads t on t.message_id = f.thread_id
      where f.user_id = ${userId} and f.is_following and ${sql.unsafe(READ_SEQ)} < t.last_reply_seq
        and (${roomId}::uuid is null or f.room_id = ${roomId}::uuid)
      -- In one order, so that two devices that do this at once do not deadlock.
      order by f.thread_id for update of f
    ), moved as (
      update thread_follows f set read_seq = b.last_reply_seq, replied_seq = b.replied_seq
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
