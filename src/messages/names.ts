import { eq, sql } from "drizzle-orm";
import type { Transaction } from "../database/connect.ts";
import {
  memberships,
  messageMentions,
  messageReactions,
  messageRoomReferences,
  messages,
  rooms,
  users,
} from "../database/schema.ts";

type Named = Pick<typeof messages.$inferSelect, "id" | "roomId" | "seq" | "authorId">;

/**
 * Writes whom and what a changed text names in place of what it named before, under the room's
 * lock: members of the room, and rooms that its author is in.
 */
export async function replaceReferences(
  tx: Transaction,
  message: Named,
  usernames: string[],
  roomNames: string[],
): Promise<void> {
  const { id, roomId, seq, authorId } = message;
  await tx.delete(messageMentions).where(eq(messageMentions.messageId, id));
  await tx.delete(messageRoomReferences).where(eq(messageRoomReferences.messageId, id));
  if (usernames.length > 0) {
    await tx.execute(sql`
      insert into ${messageMentions} (message_id, user_id, room_id, seq)
      select ${id}::uuid, u.id, ${roomId}::uuid, ${seq}::bigint from ${users} u
      join ${memberships} m on m.room_id = ${roomId} and m.user_id = u.id
      where u.username in ${usernames}`);
  }
  if (roomNames.length > 0) {
    await tx.execute(sql`
      insert into ${messageRoomReferences} (message_id, room_id)
      select ${id}::uuid, r.id from ${rooms} r
      join ${memberships} m on m.room_id = r.id and m.user_id = ${authorId}
      where r.name in ${roomNames}`);
  }
}

/** Keeps the mark that says whether to look for embeds at all, after one has come or gone. */
export async function updateHasEmbeds(tx: Transaction, messageId: string): Promise<void> {
  await tx.execute(sql`
    update ${messages} set has_embeds = num_nonnulls(image_id, file_id, preview_url) > 0
      or exists (select from ${messageReactions} where message_id = messages.id)
      or exists (select from ${messageMentions} where message_id = messages.id)
      or exists (select from ${messageRoomReferences} where message_id = messages.id)
    where id = ${messageId}`);
}
