import { eq } from "drizzle-orm";
import type { Query, Transaction } from "../database/connect.ts";
import { messages } from "../database/schema.ts";
import { appendEvent } from "../feed/append.ts";
import { lockRoomRow } from "../rooms/access.ts";

/** The message if it is there and the URL is still the one of which it shows a preview. */
export async function findWaiting(tx: Query, messageId: string, url: string) {
  const message = await find(tx, messageId);
  return message?.previewUrl === url ? message : null;
}

/**
 * Tells a message's room what is known of its URL now, unless the message was edited or deleted
 * meanwhile. Of a failure there is nothing to tell, except where an older preview vanishes by it.
 */
export async function tell(
  tx: Transaction,
  messageId: string,
  url: string,
  { isShown, wasShown }: { isShown: boolean; wasShown: boolean },
): Promise<void> {
  const first = await find(tx, messageId);
  if (!first) return;
  const { roomId } = first;
  await lockRoomRow(tx, roomId);
  // Again, as it is under the room's lock.
  const message = await find(tx, messageId);
  if (message?.previewUrl !== url) return;
  if (!isShown && !(wasShown && message.hasEmbeds)) return;
  if (!message.hasEmbeds) {
    await tx.update(messages).set({ hasEmbeds: true }).where(eq(messages.id, messageId));
  }
  await appendEvent(tx, roomId, { type: "link_preview", messageId });
}

async function find(tx: Query, messageId: string) {
  const { roomId, authorId, previewUrl, hasEmbeds } = messages;
  const [row] = await tx
    .select({ roomId, authorId, previewUrl, hasEmbeds })
    .from(messages)
    .where(eq(messages.id, messageId));
  return row;
}
