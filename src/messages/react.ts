import { and, eq, max, ne, sql } from "drizzle-orm";
import type { Database, Transaction } from "../database/connect.ts";
import { messageReactions, type messages, reactedMessages } from "../database/schema.ts";
import { appendEvent } from "../feed/append.ts";
import { notifyInstances } from "../feed/signals.ts";
import { makeFieldRefusal, Refusal } from "../platform/refusal.ts";
import { refuseReadOnly } from "../rooms/refusals.ts";
import { MAX_REACTIONS } from "../wire/limits.ts";
import type { Reaction } from "../wire/models.ts";
import { lockMessage, requireMessage } from "./access.ts";
import { updateHasEmbeds } from "./embeds.ts";

/** Exactly one emoji sequence recommended for general interchange (UTS 51). */
const ONE_EMOJI = /^\p{RGI_Emoji}$/v;

/**
 * Adds the user's reaction to a message, or removes it.
 * @returns the message's reactions by first use, and whether the user's reaction is now among them
 * @throws Refusal `validation` unless the text is one emoji; `message_not_found`, `not_a_member`,
 * `room_archived`, `too_many_reactions`
 */
export async function toggleReaction(
  database: Database,
  userId: string,
  messageId: string,
  emoji: string,
): Promise<{ reactions: Reaction[]; active: boolean }> {
  if (!ONE_EMOJI.test(emoji)) throw makeFieldRefusal("/emoji", "A reaction is one emoji.");
  const active = await database.db.transaction(async (tx) => {
    const { room, message } = await lockMessage(tx, userId, messageId);
    refuseReadOnly(room, "react");
    const isAdded = !(await removeReaction(tx, userId, messageId, emoji));
    if (isAdded) await addReaction(tx, userId, messageId, emoji);
    await updateHasEmbeds(tx, messageId);
    if (message.viaName === null && message.authorId !== userId)
      await updateLastReaction(tx, message);
    await appendEvent(tx, room.id, { type: "reaction", messageId, userId });
    return isAdded;
  });
  const { reactions } = await requireMessage(database.sql, userId, messageId);
  return { reactions, active };
}

/** @returns false if there was no such reaction */
async function removeReaction(tx: Transaction, userId: string, messageId: string, emoji: string) {
  const rows = await tx.execute(sql`
    delete from message_reactions
    where message_id = ${messageId} and user_id = ${userId} and emoji = ${emoji} returning emoji`);
  return rows.length > 0;
}

async function addReaction(tx: Transaction, userId: string, messageId: string, emoji: string) {
  const [row] = await tx.execute<{ others: number }>(sql`
    select count(distinct emoji)::int as others from message_reactions
    where message_id = ${messageId} and emoji <> ${emoji}`);
  if ((row?.others ?? 0) >= MAX_REACTIONS) {
    const detail = `A message holds ${MAX_REACTIONS} different reactions. Use one that is there.`;
    throw new Refusal("too_many_reactions", detail);
  }
  await tx.insert(messageReactions).values({ messageId, userId, emoji });
}

/** Updates when others last reacted to a message, and notifies its author's sockets. */
async function updateLastReaction(
  tx: Transaction,
  { id, authorId, roomId }: Pick<typeof messages.$inferSelect, "id" | "authorId" | "roomId">,
): Promise<void> {
  const [row] = await tx
    .select({ reactedAt: max(messageReactions.createdAt) })
    .from(messageReactions)
    .where(and(eq(messageReactions.messageId, id), ne(messageReactions.userId, authorId)));
  const reactedAt = row?.reactedAt;
  if (reactedAt) {
    await tx
      .insert(reactedMessages)
      .values({ messageId: id, authorId, roomId, reactedAt })
      .onConflictDoUpdate({ target: reactedMessages.messageId, set: { reactedAt } });
  } else await tx.delete(reactedMessages).where(eq(reactedMessages.messageId, id));
  await notifyInstances(tx, { kind: "activity_updated", user_id: authorId });
}
