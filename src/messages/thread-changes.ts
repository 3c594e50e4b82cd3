import { and, eq, sql } from "drizzle-orm";
import type { Database, SqlClient, Transaction, Fragment } from "../database/connect.ts";
import { messages, threadFollows, threads } from "../database/schema.ts";
import { appendEvent } from "../feed/append.ts";
import { notifyInstances, notifyInStatement } from "../feed/signals.ts";
import { SMALLEST_ID } from "../platform/ids.ts";
import { cleanName } from "../platform/input/names.ts";
import { Refusal } from "../platform/refusal.ts";
import { requireMembership } from "../rooms/access.ts";
import { refuseReadOnly } from "../rooms/refusals.ts";
import { MAX_THREAD_TITLE_LENGTH } from "../wire/limits.ts";
import type { Thread } from "../wire/models.ts";
import type { ThreadFollow, ThreadReadMark, UpdateThread } from "../wire/threads.ts";
import { isOwn, lockAnyMessage } from "./access.ts";
import { THREAD_COLUMN, toThread } from "./embeds.ts";
import { makeMessageNotFoundRefusal } from "./refusals.ts";
import { findThread, type FollowRow, toFollow } from "./threads.ts";

/**
 * Locks the room of a message, and reads the thread that the message is in.
 * @throws Refusal of `lockAnyMessage`; `no_thread` for a message without replies
 */
async function lockThread(tx: Transaction, actorId: string, messageId: string) {
  const access = await lockAnyMessage(tx, actorId, messageId);
  const rootId = access.message.threadId ?? access.message.id;
  const [row] = await tx
    .select({ thread: threads, root: messages })
    .from(threads)
    .innerJoin(messages, eq(messages.id, threads.messageId))
    .where(eq(threads.messageId, rootId));
  if (!row) throw new Refusal("no_thread", "Nobody has replied to this message yet.");
  return { ...access, ...row };
}

/**
 * Changes the title of a thread (allowed for its author and the room's owner and admins) and whether it
 * is resolved (allowed for everyone who may reply).
 * @throws Refusal of `lockThread`; `room_archived`, `message_deleted`, `role_required`, `validation`
 */
export function updateThread(
  { db }: Database,
  actorId: string,
  messageId: string,
  { title, is_resolved }: UpdateThread,
): Promise<Thread> {
  return db.transaction(async (tx) => {
    const { room, membership, root, thread } = await lockThread(tx, actorId, messageId);
    refuseReadOnly(room, "thread");
    if (root.deletedAt) {
      throw new Refusal("message_deleted", "The first message of this thread was deleted.");
    }
    const values: Partial<typeof threads.$inferSelect> = {};
    if (title !== undefined) {
      if (!isOwn(root, actorId) && membership.role === "member") {
        const people = "Only the author of its first message, or the room's owner or an admin,";
        throw new Refusal("role_required", `${people} can name a thread.`);
      }
      const name = title?.trim() ? cleanName(title, "/title", MAX_THREAD_TITLE_LENGTH) : null;
      if (name !== thread.title) values.title = name;
    }
    if (is_resolved !== undefined && is_resolved !== (thread.resolvedAt !== null)) {
      values.resolvedAt = is_resolved ? new Date() : null;
      values.resolvedBy = is_resolved ? actorId : null;
    }
    if (Object.keys(values).length > 0) {
      await tx.update(threads).set(values).where(eq(threads.messageId, root.id));
      await appendEvent(tx, room.id, { type: "thread", messageId: root.id });
    }
    const [row] = await tx.execute<{ summary: Thread }>(sql`
      select ${sql.raw(THREAD_COLUMN)} as summary from threads t where message_id = ${root.id}`);
    if (!row) throw new Error("updateThread: the thread is gone");
    return toThread(row.summary);
  });
}

/**
 * Follows the thread of a message, marking it as read, or unfollows it.
 * @throws Refusal of `lockThread`
 */
export function followThread(
  { db }: Database,
  userId: string,
  messageId: string,
  isFollowing: boolean,
): Promise<ThreadFollow> {
  return db.transaction(async (tx) => {
    const { room, thread } = await lockThread(tx, userId, messageId);
    const threadId = thread.messageId;
    const isMine = and(eq(threadFollows.userId, userId), eq(threadFollows.threadId, threadId));
    const [existing] = await tx.select().from(threadFollows).where(isMine);
    if ((existing?.isFollowing ?? false) === isFollowing) {
      return toFollow({
        is_following: isFollowing,
        read_seq: existing?.readSeq ?? 0,
        replied_seq: existing?.repliedSeq ?? 0,
      });
    }
    const readSeq = thread.lastReplySeq;
    if (isFollowing) {
      await tx
        .insert(threadFollows)
        .values({ userId, threadId, roomId: room.id, readSeq })
        .onConflictDoUpdate({
          target: [threadFollows.userId, threadFollows.threadId],
          set: { isFollowing: true, readSeq },
        });
    } else await tx.update(threadFollows).set({ isFollowing: false }).where(isMine);
    const follow = toFollow({
      is_following: isFollowing,
      read_seq: readSeq,
      replied_seq: existing?.repliedSeq ?? 0,
    });
    const signal = { kind: "thread_follow", user_id: userId, thread_id: threadId } as const;
    await notifyInstances(tx, { ...signal, ...follow });
    return follow;
  });
}

/**
 * Moves the caller's read mark of a thread forward, to a number or to its last reply. Does nothing if
 * the caller does not follow the thread.
 * @throws Refusal of `findThread`
 */
export async function markThreadRead(
  client: SqlClient,
  userId: string,
  messageId: string,
  seq: number | null,
): Promise<ThreadReadMark> {
  const { root_id: rootId } = await findThread(client, userId, messageId);
  await moveMarks(
    client,
    client`
      update thread_follows f
      set read_seq = least(t.last_reply_seq, coalesce(${seq}::bigint, t.last_reply_seq))
      from threads t
      where t.message_id = ${rootId} and f.thread_id = ${rootId} and f.user_id = ${userId}
        and f.is_following
        and f.read_seq < least(t.last_reply_seq, coalesce(${seq}::bigint, t.last_reply_seq))`,
  );
  return readMark(client, userId, rootId);
}

/**
 * Moves the caller's read mark of a thread back to before one of its messages.
 * @throws Refusal of `findThread`; `message_not_found` for a message outside the thread
 */
export async function markThreadUnread(
  client: SqlClient,
  userId: string,
  messageId: string,
  firstId: string,
): Promise<ThreadReadMark> {
  const { root_id: rootId } = await findThread(client, userId, messageId);
  const first = await findThread(client, userId, firstId);
  if (first.root_id !== rootId) throw makeMessageNotFoundRefusal();
  const seq = first.seq - 1;
  await moveMarks(
    client,
    client`
      update thread_follows f set read_seq = ${seq}::bigint
      where f.thread_id = ${rootId} and f.user_id = ${userId}
        and f.is_following and f.read_seq > ${seq}::bigint`,
  );
  return readMark(client, userId, rootId);
}

async function readMark(client: SqlClient, userId: string, rootId: string) {
  const [row] = await client<FollowRow[]>`
    select is_following, read_seq, replied_seq from thread_follows
    where user_id = ${userId} and thread_id = ${rootId}`;
  return { read_seq: toFollow(row ?? null).read_seq };
}

/**
 * Marks the threads that the caller follows as read, in one room or all rooms.
 * @throws Refusal of `requireMembership`
 */
export async function markThreadsRead(
  client: SqlClient,
  userId: string,
  roomId: string | null,
): Promise<void> {
  if (roomId !== null) await requireMembership(client, userId, roomId, "member");
  await moveMarks(
    client,
    client`
      with behind as materialized (
        select f.thread_id, t.last_reply_seq
        from thread_follows f join threads t on t.message_id = f.thread_id
        where f.user_id = ${userId} and f.is_following and f.read_seq < t.last_reply_seq
          and (${roomId}::uuid is null or f.room_id = ${roomId}::uuid)
        -- Ordered, so that two devices that do this at once cannot deadlock.
        order by f.thread_id for update of f
      )
      update thread_follows f set read_seq = b.last_reply_seq
      from behind b where f.user_id = ${userId} and f.thread_id = b.thread_id`,
  );
}

/** Follows are deleted after this many days without a reply. */
const SILENT_DAYS = 180;

/** Threads checked per statement. */
const PRUNE_BATCH = 1_000;

export async function pruneFollows(sql: SqlClient, signal: AbortSignal): Promise<void> {
  for (let after: string | null = SMALLEST_ID; after !== null && !signal.aborted;) {
    const [row]: { last: string | null }[] = await sql`
      with page as materialized (
        select message_id, last_reply_at from threads where message_id > ${after}
        order by message_id limit ${PRUNE_BATCH}
      ), pruned as (
        delete from thread_follows where thread_id = any(array(
          select message_id from page
          where last_reply_at < statement_timestamp() - ${SILENT_DAYS} * interval '1 day'
        ))
      )
      select (select message_id from page order by message_id desc limit 1) as last`;
    after = row?.last ?? null;
  }
}

/** @param update moves the read marks of follows `f`, and is announced to their owners */
async function moveMarks(sql: SqlClient, update: Fragment): Promise<void> {
  const fields = sql`'user_id', user_id, 'thread_id', thread_id, 'read_seq', read_seq,
    'replied_seq', replied_seq`;
  await sql`
    with moved as (${update} returning f.user_id, f.thread_id, f.read_seq, f.replied_seq)
    select ${notifyInStatement(sql, "thread_read", fields)} from moved`;
}
