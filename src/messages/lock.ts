import { eq } from "drizzle-orm";
import type { Transaction } from "../database/connect.ts";
import { type Params, prepareQuery } from "../database/prepared.ts";
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
 * The room of a message that does not exist. The seat in it is checked and refused as in a hidden room,
 * so that the time of the answer does not tell which of both it is (`bench/hidden.ts`).
 */
export const NOWHERE = { roomId: "00000000-0000-0000-0000-000000000000" };

/** Not all of the message: that of a hidden room would take longer than none. */
const findPlace = prepareQuery("find_room_of_message", (db, params: Params<{ id: string }>) =>
  db.select({ roomId: messages.roomId }).from(messages).where(eq(messages.id, params.id)),
);
const findMessage = prepareQuery("find_message", (db, params: Params<{ id: string }>) =>
  db.select().from(messages).where(eq(messages.id, params.id)),
);

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
  const [place = NOWHERE] = await findPlace(tx, { id: messageId });
  const seat = await lockSeat(tx, actorId, place.roomId, "member").catch(hideRefusedRoom);
  // Under the lock.
  const [message] = await findMessage(tx, { id: messageId });
  if (!message) throw makeMessageNotFound();
  return { ...seat, message };
}
