import { eq } from "drizzle-orm";
import { coalesceReads } from "../database/coalesce-reads.ts";
import type { SqlClient, Transaction } from "../database/connect.ts";
import { messages } from "../database/schema.ts";
import { SMALLEST_ID } from "../platform/ids.ts";
import { lockMembership, refusalOf, selectAccess } from "../rooms/access.ts";
import type { Message } from "../wire/models.ts";
import { readMessages, toViewersMessage } from "./read.ts";
import { hideRefusedRoom, makeMessageNotFoundRefusal } from "./refusals.ts";

/**
 * The room of a message that does not exist. Its membership is checked and refused like that of a
 * hidden room, so that the response time does not reveal which of the two it is (`bench/hidden.ts`).
 */
export const MISSING_ROOM_ID = SMALLEST_ID;

/** A message from an incoming webhook has no owner, not even the member who created the webhook. */
export function isOwn(
  { authorId, viaName }: typeof messages.$inferSelect,
  actorId: string,
): boolean {
  return authorId === actorId && viaName === null;
}

/**
 * Reads a message for a member of its room.
 * @throws Refusal `message_not_found`, also if the room is hidden from the viewer; `not_a_member`
 */
export async function requireMessage(
  sql: SqlClient,
  viewerId: string,
  messageId: string,
): Promise<Message> {
  const access = await readAccess(sql, { userId: viewerId, messageId });
  const refusal = refusalOf(access, "member");
  if (refusal) hideRefusedRoom(refusal);
  const [row] = await readMessages(sql, [messageId], viewerId);
  if (!row) throw makeMessageNotFoundRefusal();
  return toViewersMessage(row, viewerId);
}

/** Reads viewers' memberships in the rooms of messages, in the order of the keys. */
const readAccess = coalesceReads((sql, keys: { userId: string; messageId: string }[]) =>
  selectAccess(
    sql,
    sql`select n, user_id, coalesce(
        (select room_id from messages where id = message_id limit 1), ${MISSING_ROOM_ID}
      ) as room_id
      from unnest(
        ${keys.map(({ userId }) => userId)}::uuid[], ${keys.map(({ messageId }) => messageId)}::uuid[]
      ) with ordinality as key(user_id, message_id, n)
      offset 0`,
  ),
);

/**
 * Locks the room of a message and returns both, if the actor is a member.
 * @throws Refusal `message_not_found`, also if the room is hidden; `not_a_member`
 */
export async function lockMessage(tx: Transaction, actorId: string, messageId: string) {
  const access = await lockAnyMessage(tx, actorId, messageId);
  if (access.message.deletedAt) throw makeMessageNotFoundRefusal();
  return access;
}

/** As `lockMessage`, but accepts the deleted root of a thread. */
export async function lockAnyMessage(tx: Transaction, actorId: string, messageId: string) {
  // Only the id, since reading a whole message of a hidden room would take longer than a missing one.
  const [row] = await tx
    .select({ roomId: messages.roomId })
    .from(messages)
    .where(eq(messages.id, messageId));
  const roomId = row?.roomId ?? MISSING_ROOM_ID;
  const membership = await lockMembership(tx, actorId, roomId, "member").catch(hideRefusedRoom);
  const [message] = await tx.select().from(messages).where(eq(messages.id, messageId));
  if (!message) throw makeMessageNotFoundRefusal();
  return { ...membership, message };
}
