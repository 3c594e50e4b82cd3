import { eq, sql } from "drizzle-orm";
import type { Transaction } from "../database/connect.ts";
import {
  keywordHits,
  messageBroadcasts,
  messageFiles,
  messageImages,
  messageMentions,
  messageReactions,
  messageRoomReferences,
  messages,
  reactedMessages,
  savedMessages,
  threads,
} from "../database/schema.ts";
import { appendEvent } from "../feed/append.ts";
import type { RoomRow } from "../rooms/access.ts";
import { enqueueBlobRemoval } from "../uploads/blobs.ts";
import { MAX_THREAD_AUTHORS } from "../wire/limits.ts";
import { updateHasEmbeds } from "./embeds.ts";
import { announcePins, removePin } from "./pin.ts";

type MessageRow = typeof messages.$inferSelect;

/**
 * Deletes a message with its uploads and its pin; the caller must hold the room's lock. A root with
 * replies remains without its content, and is deleted with its last reply.
 */
export async function removeMessage(
  tx: Transaction,
  room: Pick<RoomRow, "id" | "kind">,
  message: MessageRow,
): Promise<void> {
  const { id: messageId, threadId } = message;
  const wasPinned = await removePin(tx, room.id, messageId);
  const [thread] = await tx
    .select({ id: threads.messageId })
    .from(threads)
    .where(eq(threads.messageId, messageId));
  if (thread) await clearMessage(tx, messageId);
  else await tx.delete(messages).where(eq(messages.id, messageId));
  await removeUploads(tx, message);
  await appendEvent(tx, room.id, { type: thread ? "message_update" : "message_delete", messageId });
  if (threadId !== null) await settleThread(tx, room.id, threadId);
  if (wasPinned) await announcePins(tx, room, messageId);
}

async function clearMessage(tx: Transaction, messageId: string): Promise<void> {
  const tables = [
    messageReactions,
    reactedMessages,
    keywordHits,
    messageMentions,
    messageBroadcasts,
    messageRoomReferences,
    savedMessages,
  ];
  const noContent = { content: null, imageId: null, fileId: null, imageAlt: null, clientId: null };
  await tx
    .update(messages)
    .set({
      ...noContent,
      groupId: null,
      quoteId: null,
      previewUrl: null,
      editedAt: null,
      hasEmbeds: true,
      deletedAt: sql`clock_timestamp()`,
    })
    .where(eq(messages.id, messageId));
  // After the update, which waits for those who are saving the message.
  for (const table of tables) await tx.delete(table).where(eq(table.messageId, messageId));
}

/** Recounts a thread after a reply was deleted, and announces the result. */
async function settleThread(tx: Transaction, roomId: string, rootId: string): Promise<void> {
  const [thread] = await recountThreads(tx, [rootId]);
  if (!thread) return;
  if (thread.is_root_gone) {
    await appendEvent(tx, roomId, { type: "message_delete", messageId: rootId });
    return;
  }
  if (!thread.has_replies) await updateHasEmbeds(tx, rootId);
  await appendEvent(tx, roomId, { type: "thread", messageId: rootId });
}

/** Deletes a message's uploads; a job deletes their bytes unless they are used elsewhere. */
async function removeUploads(
  tx: Transaction,
  { imageId, fileId }: Pick<MessageRow, "imageId" | "fileId">,
): Promise<void> {
  const hashes: (Uint8Array | null)[] = [];
  if (imageId) {
    const [image] = await tx.delete(messageImages).where(eq(messageImages.id, imageId)).returning();
    if (image) hashes.push(image.sha256, image.thumbSha256);
  }
  if (fileId) {
    const [file] = await tx.delete(messageFiles).where(eq(messageFiles.id, fileId)).returning();
    if (file) hashes.push(file.sha256);
  }
  await enqueueBlobRemoval(
    tx,
    hashes.filter((sha256) => sha256 !== null),
  );
}

type RecountedThread = {
  id: string;
  has_replies: boolean;
  /** Whether the root, which was already deleted, was removed with the last reply. */
  is_root_gone: boolean;
};

/**
 * Recounts threads after replies were deleted, under the room's lock: the number of replies, the last
 * one and its author. A thread without replies is deleted with its follows, and so is its root if it
 * was already deleted.
 */
export async function recountThreads(
  tx: Transaction,
  rootIds: string[],
): Promise<RecountedThread[]> {
  if (rootIds.length === 0) return [];
  return tx.execute<RecountedThread>(sql`
    with counted as materialized (
      select root.id, replies.count, last.seq, last.created_at, authors.ids
      from unnest(${sql.param(rootIds)}::uuid[]) as root(id)
      cross join lateral (
        select count(*)::int as count from messages where thread_id = root.id
      ) replies
      left join lateral (
        select seq, created_at from messages where thread_id = root.id order by seq desc limit 1
      ) last on true
      cross join lateral (
        select coalesce(array_agg(author_id order by seq desc), '{}') as ids from (
          select author_id, max(seq) as seq from messages
          where thread_id = root.id and via_name is null
          group by author_id order by seq desc limit ${MAX_THREAD_AUTHORS}
        ) a
      ) authors
    ), kept as (
      update threads set reply_count = counted.count, last_reply_seq = counted.seq,
        last_reply_at = counted.created_at, last_author_ids = counted.ids
      from counted where threads.message_id = counted.id and counted.count > 0
    ), ended as (
      delete from threads where message_id = any(array(select id from counted where count = 0))
    ), gone as (
      delete from messages where deleted_at is not null
        and id = any(array(select id from counted where count = 0))
      returning id
    )
    select id, count > 0 as has_replies, id in (select id from gone) as is_root_gone from counted`);
}
