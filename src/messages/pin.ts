import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database, Drizzle, SqlClient, Transaction } from "../database/connect.ts";
import { memberships, messagePins, messages, rooms } from "../database/schema.ts";
import { appendEvent } from "../feed/append.ts";
import { notifyInstances } from "../feed/signals.ts";
import { formatTimedKey, parseTimedCursor, toPage } from "../platform/input/cursor.ts";
import { Refusal } from "../platform/refusal.ts";
import {
  lockRoomRow,
  type MembershipRow,
  requireMembership,
  type RoomRow,
} from "../rooms/access.ts";
import { type PinColumns, pinColumns } from "../rooms/newest-pin.ts";
import { refuseReadOnly } from "../rooms/refusals.ts";
import { MAX_PINS } from "../wire/limits.ts";
import type { Message, Page } from "../wire/models.ts";
import type { PageQuery } from "../wire/queries.ts";
import { updateHasEmbeds } from "./embeds.ts";
import { isOwn, lockMessage, requireMessage } from "./access.ts";
import { toViewersMessage, readMessages } from "./read.ts";
import { makeMessageNotFound } from "./refusals.ts";

/**
 * Pins a message in its room. One that is pinned keeps who pinned it first.
 * @throws Refusal `message_not_found`, `not_a_member`, `role_required`, `room_archived`,
 * `conversation_closed`, `too_many_pins`
 */
export async function pinMessage(
  database: Database,
  actorId: string,
  messageId: string,
): Promise<Message> {
  await database.db.transaction(async (tx) => {
    const { room, membership, message } = await lockMessage(tx, actorId, messageId);
    // What is left of a deleted root is there for its replies.
    if (message.deletedAt) throw makeMessageNotFound();
    refuseReadOnly(room, "pin");
    refusePinning(room, membership);
    await insertPin(tx, room, messageId, actorId);
  });
  return requireMessage(database.sql, actorId, messageId);
}

/**
 * Pins what an incoming webhook has just posted. A room whose pins are all in use keeps them, and the
 * message stays without one.
 */
export async function pinPosted(db: Drizzle, { id, room_id }: Message): Promise<void> {
  await db.transaction(async (tx) => {
    await lockRoomRow(tx, room_id);
    const [found] = await tx
      .select({ room: rooms })
      .from(rooms)
      .innerJoin(messages, eq(messages.roomId, rooms.id))
      .where(and(eq(messages.id, id), isNull(messages.deletedAt)));
    if (!found || found.room.isArchived || found.room.pinCount >= MAX_PINS) return;
    await insertPin(tx, found.room, id, null);
  });
}

/** A conversation has neither an owner nor admins: everyone in it may pin and unpin. */
function refusePinning(room: RoomRow, { role }: MembershipRow): void {
  if (room.kind === "direct" || room.pinning === "members" || role !== "member") return;
  throw new Refusal("role_required", "Only the room's owner and admins pin messages here.");
}

/**
 * Unpins a message: who pinned it, its author, the room's owner and admins, anyone in a conversation.
 * Does nothing if it is not pinned.
 * @throws Refusal `message_not_found`, `not_a_member`, `role_required`, `room_archived`,
 * `conversation_closed`
 */
export async function unpinMessage({ db }: Database, actorId: string, messageId: string) {
  await db.transaction(async (tx) => {
    const { room, membership, message } = await lockMessage(tx, actorId, messageId);
    refuseReadOnly(room, "pin");
    const [pin] = await tx.select().from(messagePins).where(eq(messagePins.messageId, messageId));
    if (!pin) return;
    const mayUnpin =
      room.kind === "direct" ||
      membership.role !== "member" ||
      pin.pinnedBy === actorId ||
      isOwn(message, actorId);
    if (!mayUnpin) {
      const detail =
        "Only who pinned it, its author, or the room's owner or an admin, can unpin it.";
      throw new Refusal("role_required", detail);
    }
    await removePin(tx, room.id, messageId);
    await updateHasEmbeds(tx, messageId);
    await announcePins(tx, room, messageId);
  });
}

/**
 * Lists a room's pinned messages, the newest pin first.
 * @throws Refusal of `requireMembership`; `validation` for a cursor of another list
 */
export async function listPins(
  client: SqlClient,
  viewerId: string,
  roomId: string,
  { cursor, limit }: PageQuery,
): Promise<Page<Message>> {
  await requireMembership(client, viewerId, roomId, "member");
  const heads = await readPinHeads(client, roomId, parseTimedCursor(cursor), limit + 1);
  const ids = heads.slice(0, limit).map((head) => head.message_id);
  const messageRows = await readMessages(client, ids, viewerId);
  const byId = new Map(messageRows.map((row) => [row.id, toViewersMessage(row, viewerId)]));
  const page = toPage(
    heads,
    limit,
    ({ pinned_at, message_id }) => formatTimedKey(pinned_at, message_id),
    ({ message_id }) => byId.get(message_id) ?? null,
  );
  // One that was deleted between the queries is left out.
  return { ...page, items: page.items.filter((item) => item !== null) };
}

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
  const rows = await tx
    .select({ messageId: messagePins.messageId })
    .from(messagePins)
    .where(eq(messagePins.messageId, messageId));
  return rows.length > 0;
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

/** Hand-written SQL: a lateral read of each room's newest pin, and a page by two keys. */

/** What lists show of these rooms' pins. */
export function readRoomPins(sql: SqlClient, roomIds: string[]) {
  return sql<(PinColumns & { id: string })[]>`
    select r.id, ${sql.unsafe(pinColumns("r"))} from rooms r where r.id = any(${roomIds}::uuid[])`;
}

/** A message of the list of a room's pins. */
type PinHead = { message_id: string; pinned_at: Date };

/** A room's pins, the newest first, after one of them. */
export function readPinHeads(
  sql: SqlClient,
  roomId: string,
  after: { at: Date; id: string } | null,
  limit: number,
) {
  const [at, id] = [after?.at ?? null, after?.id ?? null];
  return sql<PinHead[]>`
    select message_id, pinned_at from message_pins
    where room_id = ${roomId}
      and (${at}::timestamptz is null or (pinned_at, message_id) < (${at}::timestamptz, ${id}::uuid))
    order by pinned_at desc, message_id desc limit ${limit}`;
}
