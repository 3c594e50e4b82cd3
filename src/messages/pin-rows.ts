import { eq, sql } from "drizzle-orm";
import type { Transaction } from "../database/connect.ts";
import { memberships, messagePins, rooms } from "../database/schema.ts";
import { appendEvent } from "../feed/append.ts";
import { notifyInstances } from "../feed/signals.ts";
import { Refusal } from "../platform/refusal.ts";
import type { RoomRow } from "../rooms/access.ts";
import { MAX_PINS } from "../wire/limits.ts";
import { updateHasEmbeds } from "./references.ts";

/** What of a room its pins need. */
type PinnedRoom = Pick<RoomRow, "id" | "kind">;

/**
 * Pins a message of a room whose lock the caller holds.
 * @param pinnedBy null for an incoming webhook
 * @throws Refusal `too_many_pins`
 */
export async function insertPin(
  tx: Transaction,
  room: PinnedRoom & Pick<RoomRow, "pinCount">,
  messageId: string,
  pinnedBy: string | null,
): Promise<void> {
  const added = await tx
    .insert(messagePins)
    .values({ messageId, roomId: room.id, pinnedBy })
    .onConflictDoNothing()
    .returning({ messageId: messagePins.messageId });
  if (added.length === 0) return;
  if (room.pinCount >= MAX_PINS) {
    const detail = `A room holds ${MAX_PINS} pinned messages. Unpin one that is no longer needed.`;
    throw new Refusal("too_many_pins", detail);
  }
  await updateHasEmbeds(tx, messageId);
  await changePinCount(tx, room.id, 1);
  await announcePins(tx, room, messageId);
}

/**
 * Removes the pin of a message, under the room's lock; `announcePins` follows it, after the deletion
 * of a message that is deleted.
 * @returns false if it was not pinned
 */
export async function removePin(
  tx: Transaction,
  roomId: string,
  messageId: string,
): Promise<boolean> {
  const removed = await tx
    .delete(messagePins)
    .where(eq(messagePins.messageId, messageId))
    .returning({ messageId: messagePins.messageId });
  if (removed.length > 0) await changePinCount(tx, roomId, -1);
  return removed.length > 0;
}

/** Whether a message is pinned: `announcePins` follows its edit, because lists show its text. */
export async function isPinned(tx: Transaction, messageId: string): Promise<boolean> {
  const found = await tx
    .select({ messageId: messagePins.messageId })
    .from(messagePins)
    .where(eq(messagePins.messageId, messageId));
  return found.length > 0;
}

/** Announces, at the commit, that a pin came or went, or that its message has changed. */
export async function announcePins(
  tx: Transaction,
  { id, kind }: PinnedRoom,
  messageId: string,
): Promise<void> {
  await appendEvent(tx, id, { type: "pin", messageId });
  if (kind !== "direct") return;
  // Members who do not have a conversation open follow none of its log but messages.
  const members = await tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(eq(memberships.roomId, id));
  const user_ids = members.map(({ userId }) => userId);
  await notifyInstances(tx, { kind: "direct_updated", room_id: id, user_ids });
}

async function changePinCount(tx: Transaction, roomId: string, by: number): Promise<void> {
  await tx
    .update(rooms)
    .set({ pinCount: sql`${rooms.pinCount} + ${by}` })
    .where(eq(rooms.id, roomId));
}
