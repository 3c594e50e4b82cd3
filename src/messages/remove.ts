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
import { announcePins, removePin } from "./pin-rows.ts";
import { updateHasEmbeds } from "./references.ts";
import { recountThreads } from "./threads/recount.ts";

type MessageRow = typeof messages.$inferSelect;

/**
 * Deletes a message of a room whose lock the caller holds, with its uploads and its pin. A root
 * with replies stays for them, without its content, and is deleted with the last of them.
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

/** Removes a message's content and everything that people have added to it. */
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
  for (const table of tables) await tx.delete(table).where(eq(table.messageId, messageId));
  const nothing = { content: null, imageId: null, fileId: null, imageAlt: null, clientId: null };
  await tx
    .update(messages)
    .set({
      ...nothing,
      ...{ groupId: null, quoteId: null, previewUrl: null, editedAt: null, hasEmbeds: true },
      deletedAt: sql`clock_timestamp()`,
    })
    .where(eq(messages.id, messageId));
}

/** Counts a thread again after a reply was deleted, and announces what is left of it. */
async function settleThread(tx: Transaction, roomId: string, rootId: string): Promise<void> {
  const [left] = await recountThreads(tx, [rootId]);
  if (!left) return;
  if (left.is_root_gone) {
    await appendEvent(tx, roomId, { type: "message_delete", messageId: rootId });
    return;
  }
  if (!left.has_replies) await updateHasEmbeds(tx, rootId);
  await appendEvent(tx, roomId, { type: "thread", messageId: rootId });
}

/** Removes a message's uploads; a job removes their bytes, unless something else uses them. */
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
