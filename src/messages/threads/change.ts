import { and, eq } from "drizzle-orm";
import type { Database, SqlClient, Transaction } from "../../database/connect.ts";
import { messages, threadFollows, threads } from "../../database/schema.ts";
import { appendEvent } from "../../feed/append.ts";
import { notifyInstances } from "../../feed/signals.ts";
import { cleanName } from "../../platform/names.ts";
import { Refusal } from "../../platform/refusal.ts";
import { checkSeat } from "../../rooms/access.ts";
import { refuseReadOnly } from "../../rooms/write-refusals.ts";
import { MAX_THREAD_TITLE_LENGTH } from "../../wire/limits.ts";
import type { Thread } from "../../wire/models.ts";
import type { ThreadFollow, ThreadReadMark, UpdateThread } from "../../wire/threads.ts";
import { isOwn, lockAnyMessage } from "../lock.ts";
import { makeMessageNotFound } from "../refusals.ts";
import { markOf } from "./marks.ts";
import { findThread, toFollow } from "./read.ts";
import {
  moveAllThreadMarks,
  moveThreadMark,
  moveThreadMarkBack,
  readFollow,
} from "./follow-statements.ts";

type ThreadRow = typeof threads.$inferSelect;

/**
 * Locks the room of a message, and reads the thread that the message is in.
 * @throws Refusal of `lockAnyMessage`; `no_thread` for a message without replies
 */
async function lockThread(tx: Transaction, actorId: string, messageId: string) {
  const seat = await lockAnyMessage(tx, actorId, messageId);
  const rootId = seat.message.threadId ?? seat.message.id;
  const [found] = await tx
    .select({ thread: threads, root: messages })
    .from(threads)
    .innerJoin(messages, eq(messages.id, threads.messageId))
    .where(eq(threads.messageId, rootId));
  if (!found) throw new Refusal("no_thread", "Nobody has replied to this message yet.");
  return { ...seat, ...found };
}

/**
 * Changes the title of a thread (its author, and the room's owner and admins) and whether it is done
 * (everyone who may reply).
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
    const values: Partial<ThreadRow> = {};
    if (title !== undefined) {
      if (!isOwn(root, actorId) && membership.role === "member") {
        const who = "Only the author of its first message, or the room's owner or an admin,";
        throw new Refusal("role_required", `${who} can name a thread.`);
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
    return toThread({ ...thread, ...values });
  });
}

function toThread(row: ThreadRow): Thread {
  return {
    title: row.title,
    reply_count: row.replyCount,
    last_reply_seq: row.lastReplySeq,
    last_reply_at: row.lastReplyAt.toISOString(),
    author_ids: row.lastAuthorIds,
    is_resolved: row.resolvedAt !== null,
  };
}

/**
 * Follows the thread of a message, read up to its last reply, or unfollows it.
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
    const [known] = await tx.select().from(threadFollows).where(isMine);
    if ((known?.isFollowing ?? false) === isFollowing) {
      return toFollow({ is_following: isFollowing, ...markOf(userId, thread, known) });
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
      replied_seq: markOf(userId, thread, known).replied_seq,
    });
    const signal = { kind: "thread_follow", user_id: userId, thread_id: threadId } as const;
    await notifyInstances(tx, { ...signal, ...follow });
    return follow;
  });
}

/**
 * Moves the caller's mark of a thread forward, to a number or to its last reply. It does nothing for
 * one who does not follow it.
 * @throws Refusal of `findThread`
 */
export async function markThreadRead(
  client: SqlClient,
  userId: string,
  messageId: string,
  seq: number | null,
): Promise<ThreadReadMark> {
  const { rootId } = await findThread(client, userId, messageId);
  await moveThreadMark(client, userId, rootId, seq);
  return readMark(client, userId, rootId);
}

/**
 * Moves the caller's mark of a thread back to before a message of it.
 * @throws Refusal of `findThread`; `message_not_found` for a message that is not in the thread
 */
export async function markThreadUnread(
  client: SqlClient,
  userId: string,
  messageId: string,
  firstId: string,
): Promise<ThreadReadMark> {
  const { rootId } = await findThread(client, userId, messageId);
  const first = await findThread(client, userId, firstId);
  if (first.rootId !== rootId) throw makeMessageNotFound();
  await moveThreadMarkBack(client, userId, rootId, first.seq - 1);
  return readMark(client, userId, rootId);
}

async function readMark(client: SqlClient, userId: string, rootId: string) {
  const { read_seq } = toFollow(await readFollow(client, userId, rootId));
  return { read_seq };
}

/**
 * Marks all threads that the caller follows read, of one room or of all.
 * @throws Refusal of `checkSeat`
 */
export async function markThreadsRead(
  client: SqlClient,
  userId: string,
  roomId: string | null,
): Promise<void> {
  if (roomId !== null) await checkSeat(client, userId, roomId, "member");
  await moveAllThreadMarks(client, userId, roomId);
}
