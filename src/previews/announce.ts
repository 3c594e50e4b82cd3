import { eq } from "drizzle-orm";
import type { Query, Transaction } from "../database/connect.ts";
import { messages } from "../database/schema.ts";
import { appendEvent } from "../feed/append.ts";
import { lockRoomRow } from "../rooms/access.ts";

/** Reads a message if it still shows the preview of this URL. */
export async function readMessageOf(tx: Query, messageId: string, url: string) {
  const message = await readMessage(tx, messageId);
  return message?.previewUrl === url ? message : null;
}

/**
 * Announces a preview in its message's room, unless the message was edited or deleted meanwhile. A
 * failure is announced only where it replaces an older preview.
 */
export async function announcePreview(
  tx: Transaction,
  messageId: string,
  url: string,
  { isShown, wasShown }: { isShown: boolean; wasShown: boolean },
): Promise<void> {
  const roomId = (await readMessage(tx, messageId))?.roomId;
  if (!roomId) return;
  await lockRoomRow(tx, roomId);
  const message = await readMessageOf(tx, messageId, url);
  if (!message) return;
  if (!isShown && !(wasShown && message.hasEmbeds)) return;
  if (!message.hasEmbeds) {
    await tx.update(messages).set({ hasEmbeds: true }).where(eq(messages.id, messageId));
  }
  await appendEvent(tx, roomId, { type: "link_preview", messageId });
}

async function readMessage(tx: Query, messageId: string) {
  const { roomId, authorId, previewUrl, hasEmbeds } = messages;
  const [row] = await tx
    .select({ roomId, authorId, previewUrl, hasEmbeds })
    .from(messages)
    .where(eq(messages.id, messageId));
  return row;
}
