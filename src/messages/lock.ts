import { eq } from "drizzle-orm";
import type { Transaction } from "../database/connect.ts";
import { messages } from "../database/schema.ts";
import { lockSeat } from "../rooms/access.ts";
import { hideRefusedRoom, makeMessageNotFound } from "./refusals.ts";

/** A message of an incoming webhook belongs to nobody, not even to the member who made the webhook. */
export function isOwn(
  { authorId, viaName }: typeof messages.$inferSelect,
  actorId: string,
): boolean {
  return authorId === actorId && viaName === null;
}

/**
 * Locks the room of a message and returns both, for a member.
 * @throws Refusal `message_not_found`, also if the room is hidden; `not_a_member`
 */
export async function lockMessage(tx: Transaction, actorId: string, messageId: string) {
  const seat = await lockAnyMessage(tx, actorId, messageId);
  if (seat.message.deletedAt) throw makeMessageNotFound();
  return seat;
}

/** As `lockMessage`, also for a message that was deleted and stays for its replies. */
export async function lockAnyMessage(tx: Transaction, actorId: string, messageId: string) {
  const readMessage = () => tx.select().from(messages).where(eq(messages.id, messageId));
  const [first] = await readMessage();
  if (!first) throw makeMessageNotFound();
  const seat = await lockSeat(tx, actorId, first.roomId, "member").catch(hideRefusedRoom);
  // Again, under the lock.
  const [message] = await readMessage();
  if (!message) throw makeMessageNotFound();
  return { ...seat, message };
}
