import { coalesceReads } from "../database/coalesce-reads.ts";
import type { SqlClient } from "../database/connect.ts";
import {
  decodeCursor,
  formatTimedKey,
  makeInvalidCursorRefusal,
  NEWEST,
  parseTimedCursor,
  toPage,
  type TimedPlace,
} from "../platform/input/cursor.ts";
import { makeFieldRefusal } from "../platform/refusal.ts";
import { requireMembership, type RoomState } from "../rooms/access.ts";
import type { Message, Page } from "../wire/models.ts";
import type {
  ThreadFollow,
  ThreadItem,
  ThreadPage,
  ThreadQuery,
  ThreadsQuery,
} from "../wire/threads.ts";
import { MISSING_ROOM_ID } from "./access.ts";
import { toRoot } from "./embeds.ts";
import { checkAnchors, type PageRows, type PageScope, readAround, readPage } from "./history.ts";
import { readMessages, readViewersMessages, toViewersMessage } from "./read.ts";
import { hideRefusedRoom, makeMessageNotFoundRefusal } from "./refusals.ts";
import { MAX_THREAD_UNREAD, MAX_UNREAD } from "../wire/limits.ts";

const readPlace = coalesceReads(readThreadPlaces);

/**
 * Finds the thread of a message, for a member of its room.
 * @throws Refusal `message_not_found`, also if the room is hidden from the viewer; `not_a_member`
 */
export async function findThread(
  sql: SqlClient,
  viewerId: string,
  messageId: string,
): Promise<ThreadPlace & { room: RoomState }> {
  const place = await readPlace(sql, { viewerId, messageId });
  const roomId = place.room_id ?? MISSING_ROOM_ID;
  const room = await requireMembership(sql, viewerId, roomId, "member").catch(hideRefusedRoom);
  if (place.root_id === null) throw makeMessageNotFoundRefusal();
  return { ...place, room };
}

/** All null for a user who has never followed the thread. */
export type FollowRow = {
  is_following: boolean | null;
  read_seq: number | null;
  replied_seq: number | null;
};

/** @param row null for a user who has never followed the thread */
export function toFollow(row: FollowRow | null): ThreadFollow {
  return row?.is_following
    ? { is_following: true, read_seq: row.read_seq, replied_seq: row.replied_seq ?? 0 }
    : { is_following: false, read_seq: null, replied_seq: 0 };
}

/**
 * Reads a page of the thread of a message, the oldest reply first: the newest page, or the page before,
 * after or around a reply or the read mark.
 * @throws Refusal of `findThread`; `validation`
 */
export async function readThread(
  sql: SqlClient,
  viewerId: string,
  messageId: string,
  query: ThreadQuery,
): Promise<ThreadPage> {
  const place = await findThread(sql, viewerId, messageId);
  const { root_id: threadId, room_id: roomId, room } = place;
  checkAnchors(query);
  const scope = { roomId, viewerId, lastSeq: room.last_seq, threadId };
  const [{ rows, hasMoreBefore, hasMoreAfter }, [rootRow]] = await Promise.all([
    readReplies(sql, scope, query, place),
    readMessages(sql, [threadId], viewerId),
  ]);
  if (!rootRow) throw makeMessageNotFoundRefusal();
  const root = toViewersMessage(rootRow, viewerId);
  // The page's statement omits the root, because it is the same for all replies.
  const replyRoot = toRoot(roomId, rootRow, root.thread);
  return {
    root,
    items: rows.map((row) => ({
      ...toViewersMessage(row, viewerId),
      thread_id: threadId,
      root: replyRoot,
    })),
    has_more_before: hasMoreBefore,
    has_more_after: hasMoreAfter,
    // From the first query: the later ones may already include newer events.
    seq: place.last_seq,
    follow: toFollow(place),
  };
}

async function readReplies(
  sql: SqlClient,
  scope: PageScope,
  query: ThreadQuery,
  { is_following, read_seq }: FollowRow,
): Promise<PageRows> {
  const page = await readPage(sql, scope, query);
  const first = page.rows[0];
  if (!query.around_read_mark || !is_following || read_seq === null || !first) return page;
  const isWhole = !page.hasMoreBefore || first.seq <= read_seq;
  return isWhole ? page : readAround(sql, scope, { seq: read_seq }, query.limit);
}

const byTime = ({ last_reply_at, thread_id }: ThreadListRow) =>
  formatTimedKey(last_reply_at, thread_id);

/**
 * Lists threads, those with the newest reply first: all that the caller follows, those of them with
 * unread replies, or all threads of a room.
 * @throws Refusal `validation`; of `requireMembership` for `room_id`
 */
export async function listThreads(
  sql: SqlClient,
  viewerId: string,
  query: ThreadsQuery,
): Promise<Page<ThreadItem>> {
  const { filter, room_id: roomId, cursor, limit } = query;
  if (roomId !== undefined) await requireMembership(sql, viewerId, roomId, "member");
  if (filter === "room") {
    if (roomId === undefined) throw makeFieldRefusal("/room_id", "Send room_id to name the room.");
    const key = { roomId, beforeSeq: seqOf(cursor), limit: limit + 1 };
    const rows = await readThreadsOfRoom(sql, viewerId, key);
    return toThreadPage(sql, viewerId, rows, query, (row) => String(row.last_reply_seq));
  }
  const rows = await readFollowedThreads(sql, viewerId, {
    roomId: roomId ?? null,
    isUnread: filter === "unread",
    before: parseTimedCursor(cursor) ?? NEWEST,
    limit: limit + 1,
  });
  return toThreadPage(sql, viewerId, rows, query, byTime);
}

async function toThreadPage(
  sql: SqlClient,
  viewerId: string,
  rows: ThreadListRow[],
  { limit, last_reply: withLastReply }: ThreadsQuery,
  keyOf: (row: ThreadListRow) => string,
): Promise<Page<ThreadItem>> {
  const pageRows = rows.slice(0, limit);
  const replyIds = withLastReply ? await readLastReplyIds(sql, pageRows) : null;
  const ids = [...pageRows.map((row) => row.thread_id), ...(replyIds?.values() ?? [])];
  const messages = await readViewersMessages(sql, ids, viewerId);
  return toPage(rows, limit, keyOf, (row) => {
    const root = messages.get(row.thread_id);
    if (!root?.thread) return null;
    const item = toItem(row, root);
    if (!replyIds) return item;
    return { ...item, last_reply: messages.get(replyIds.get(row.thread_id) ?? "") ?? null };
  });
}

function toItem(row: ThreadListRow, root: Message): ThreadItem {
  // `last_reply_seq` was read together with the unread count, so that the two agree.
  const thread = root.thread && { ...root.thread, last_reply_seq: row.last_reply_seq };
  return {
    root: { ...root, thread },
    room: { id: row.room_id, name: row.room_name },
    follow: toFollow(row),
    unread_count: row.unread_count,
  };
}

async function readLastReplyIds(
  sql: SqlClient,
  rows: ThreadListRow[],
): Promise<Map<string, string>> {
  const replies = await sql<{ thread_id: string; id: string }[]>`
    select m.thread_id, m.id
    from unnest(
      ${rows.map((row) => row.room_id)}::uuid[], ${rows.map((row) => row.last_reply_seq)}::bigint[]
    ) as last(room_id, seq)
    join messages m on m.room_id = last.room_id and m.seq = last.seq
    where m.deleted_at is null`;
  return new Map(replies.map((reply) => [reply.thread_id, reply.id]));
}

function seqOf(cursor: string | undefined): number {
  const key = decodeCursor(cursor);
  if (key === null) return Number.MAX_SAFE_INTEGER;
  if (!/^\d{1,15}$/.test(key)) throw makeInvalidCursorRefusal();
  return Number(key);
}

/** A thread in a list, with the reader's follow and read mark; nulls without a follow. */
type ThreadListRow = {
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

/**
 * SQL for the number of unread replies by others, given a thread `t` and the reader's follow `f`; none
 * if the thread is resolved.
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

/** Reads the threads that a user follows in their current rooms, those with the newest reply first. */
export function readFollowedThreads(
  sql: SqlClient,
  userId: string,
  key: { roomId: string | null; isUnread: boolean; before: TimedPlace; limit: number },
): Promise<ThreadListRow[]> {
  const { at, id } = key.before;
  return sql<ThreadListRow[]>`
    select * from (
      select ${listColumns(sql, userId)}
      from memberships ms
      join thread_follows f on f.user_id = ms.user_id and f.room_id = ms.room_id and f.is_following
      join threads t on t.message_id = f.thread_id
      join rooms r on r.id = ms.room_id and r.deleted_at is null
      where ms.user_id = ${userId} and (${key.roomId}::uuid is null or ms.room_id = ${key.roomId}::uuid)
        and (t.last_reply_at, t.message_id) < (${at}, ${id}::uuid)
        ${key.isUnread ? sql`and t.resolved_at is null and t.last_reply_seq > f.read_seq` : sql``}
    ) listed
    ${key.isUnread ? sql`where unread_count > 0` : sql``}
    order by last_reply_at desc, thread_id desc limit ${key.limit}`;
}

function readThreadsOfRoom(
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

/** The thread that a message is in or may start, and the user's follow of it. */
type ThreadPlace = FollowRow & {
  room_id: string;
  root_id: string;
  /** The number of the message. */
  seq: number;
  /** The number of the room's log that the follow includes. */
  last_seq: number;
};

/** There is no such message. */
type NoPlace = FollowRow & { room_id: null; root_id: null };

function readThreadPlaces(
  sql: SqlClient,
  requests: { viewerId: string; messageId: string }[],
): Promise<(ThreadPlace | NoPlace)[]> {
  return sql<(ThreadPlace | NoPlace)[]>`
    select m.room_id, m.root_id, m.seq, r.last_seq, f.is_following, f.read_seq, f.replied_seq
    from unnest(
      ${requests.map(({ viewerId }) => viewerId)}::uuid[],
      ${requests.map(({ messageId }) => messageId)}::uuid[]
    ) with ordinality as targets(viewer_id, message_id, n)
    left join lateral (
      select room_id, coalesce(thread_id, id) as root_id, seq from messages
      where id = targets.message_id limit 1
    ) m on true
    left join lateral (select last_seq from rooms where id = m.room_id limit 1) r on true
    left join lateral (
      select is_following, read_seq, replied_seq from thread_follows
      where user_id = targets.viewer_id and thread_id = m.root_id limit 1
    ) f on true
    order by targets.n`;
}
