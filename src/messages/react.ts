import { and, eq, sql } from "drizzle-orm";
import type { Database, Transaction } from "../database/connect.ts";
import { messageReactions } from "../database/schema.ts";
import { appendEvent } from "../feed/append.ts";
import { invalid, Refusal } from "../platform/refusal.ts";
import { refuseArchived } from "../rooms/access.ts";
import { MAX_REACTIONS } from "../wire/limits.ts";
import type { Reaction } from "../wire/models.ts";
import { lockMessage } from "./change.ts";
import { getMessage } from "./history.ts";
import { updateHasEmbeds } from "./references.ts";

/** One sequence that is recommended for general interchange (UTS 51), and nothing else. */
const ONE_EMOJI = /^\p{RGI_Emoji}$/v;

/**
 * Puts an emoji on a message, or takes it back.
 * @returns all of the message's reactions, by first use, and whether the actor's is now one of them
 * @throws Refusal `validation` for what is not one emoji; `message_not_found`, `not_a_member`,
 * `room_archived`, `too_many_reactions`
 */
export async function toggleReaction(
  database: Database,
  userId: string,
  messageId: string,
  emoji: string,
): Promise<{ reactions: Reaction[]; active: boolean }> {
  if (!ONE_EMOJI.test(emoji)) throw invalid("/emoji", "A reaction is one emoji.");
  const active = await database.db.transaction(async (tx) => {
    const { room } = await lockMessage(tx, userId, messageId);
    refuseArchived(room, "react");
    const isThere = !(await remove(tx, userId, messageId, emoji));
    if (isThere) await add(tx, userId, messageId, emoji);
    await updateHasEmbeds(tx, messageId);
    await appendEvent(tx, room.id, { type: "reaction", messageId, userId });
    return isThere;
  });
  const { reactions } = await getMessage(database.sql, userId, messageId);
  return { reactions, active };
}

/** @returns false if it was not there */
async function remove(tx: Transaction, userId: string, messageId: string, emoji: string) {
  const removed = await tx
    .delete(messageReactions)
    .where(
      and(
        eq(messageReactions.messageId, messageId),
        eq(messageReactions.userId, userId),
        eq(messageReactions.emoji, emoji),
      ),
    )
    .returning({ emoji: messageReactions.emoji });
  return removed.length > 0;
}

async function add(tx: Transaction, userId: string, messageId: string, emoji: string) {
  const [row] = await tx
    .select({
      others: sql<number>`count(distinct ${messageReactions.emoji})
        filter (where ${messageReactions.emoji} <> ${emoji})`.mapWith(Number),
    })
    .from(messageReactions)
    .where(eq(messageReactions.messageId, messageId));
  if ((row?.others ?? 0) >= MAX_REACTIONS) {
    const detail = `A message holds ${MAX_REACTIONS} different reactions. Use one that is there.`;
    throw new Refusal("too_many_reactions", detail);
  }
  await tx.insert(messageReactions).values({ messageId, userId, emoji });
}
