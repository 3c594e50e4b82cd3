import { eq, sql } from "drizzle-orm";
import type { Database } from "../database/connect.ts";
import { messages } from "../database/schema.ts";
import { appendEvent } from "../feed/append.ts";
import { enqueueJob } from "../jobs-queue/enqueue.ts";
import { Refusal } from "../platform/refusal.ts";
import { isFromConversation, refuseReadOnly } from "../rooms/refusals.ts";
import { extractReferences } from "../wire/markdown/extract.ts";
import type { Message } from "../wire/models.ts";
import { checkContent } from "./new-message.ts";
import { announcePins, isPinned } from "./pin.ts";
import { isOwn, lockMessage, requireMessage } from "./access.ts";
import { replaceBroadcast, replaceReferences } from "./references.ts";
import { updateHasEmbeds } from "./embeds.ts";
import { removeMessage } from "./remove.ts";

/**
 * Replaces the text of the actor's own message, and its mentions and references. Blank text removes
 * the text from a message that has an image or a file.
 * @throws Refusal `message_not_found`, `not_a_member`, `not_author`, `room_archived`,
 * `empty_message`, `broadcast_restricted`, `validation`
 */
export async function editMessage(
  database: Database,
  actorId: string,
  messageId: string,
  newContent: string | null,
): Promise<Message> {
  await database.db.transaction(async (tx) => {
    const { room, membership, message } = await lockMessage(tx, actorId, messageId);
    if (!isOwn(message, actorId)) {
      throw new Refusal("not_author", "Only its author can edit a message.");
    }
    refuseReadOnly(room, "edit");
    const content = checkContent(newContent, message.imageId !== null || message.fileId !== null);
    if (message.content === content) return;
    const { usernames, rooms, url, broadcast } = extractReferences(content);
    await tx
      .update(messages)
      .set({ content, previewUrl: url, editedAt: sql`clock_timestamp()` })
      .where(eq(messages.id, messageId));
    await replaceReferences(tx, messageId, usernames, rooms);
    await replaceBroadcast(tx, membership, messageId, broadcast);
    await updateHasEmbeds(tx, messageId);
    if (url !== null && url !== message.previewUrl) {
      await enqueueJob(tx, { kind: "link_preview", payload: { url, messageId } });
    }
    await appendEvent(tx, room.id, { type: "message_update", messageId });
    if (await isPinned(tx, messageId)) await announcePins(tx, room, messageId);
  });
  return requireMessage(database.sql, actorId, messageId);
}

/**
 * Deletes a message. Its author may do so, and the room's owner and admins unless it was written while
 * the room was a conversation. A root that has replies remains without its content.
 * @throws Refusal `message_not_found`, `not_a_member`, `role_required`
 */
export async function deleteMessage({ db }: Database, actorId: string, messageId: string) {
  await db.transaction(async (tx) => {
    const { room, membership, message } = await lockMessage(tx, actorId, messageId);
    if (!isOwn(message, actorId) && membership.role === "member") {
      const detail = "Only its author, or the room's owner or an admin, can delete it.";
      throw new Refusal("role_required", detail);
    }
    if (!isOwn(message, actorId) && isFromConversation(room, message)) {
      const detail =
        "This was written when the room was a conversation. Only its author can delete it.";
      throw new Refusal("role_required", detail);
    }
    await removeMessage(tx, room, message);
  });
}
