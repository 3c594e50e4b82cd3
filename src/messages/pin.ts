import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database, Drizzle, SqlClient, Transaction } from "../database/connect.ts";
import { memberships, messagePins, messages, rooms } from "../database/schema.ts";
import { appendEvent } from "../feed/append.ts";
import { notifyInstances } from "../feed/signals.ts";
import { formatTimedKey, NEWEST, parseTimedCursor, toPage } from "../platform/input/cursor.ts";
import { Refusal } from "../platform/refusal.ts";
import {
  lockRoomRow,
  type MembershipRow,
  requireMembership,
  type RoomRow,
} from "../rooms/access.ts";
import { type PinColumns, pinColumns, toPins } from "../rooms/newest-pin.ts";
import { refuseReadOnly } from "../rooms/refusals.ts";
import { MAX_PINS } from "../wire/limits.ts";
import type { Message, Page } from "../wire/models.ts";
import type { PageQuery } from "../wire/queries.ts";
import { updateHasEmbeds } from "./embeds.ts";
import { isOwn, lockMessage, requireMessage } from "./access.ts";
import { readViewersMessages } from "./read.ts";

/**
 * Pins a message in its room. Pinning it again keeps the first pin.
 * @throws Refusal `message_not_found`, `not_a_member`, `role_required`, `room_archived`,
 * `conversation_closed`, `too_many_pins`
 */
export async function pinMessage(
  database: Database,
  actorId: string,
  messageId: string,
): Promise<Message> {
  await database.db.transaction(async (tx) => {
    const { room, membership } = await lockMessage(tx, actorId, messageId);
    refuseReadOnly(room, "pin");
    refusePinning(room, membership);
    await insertPin(tx, room, messageId, actorId);
  });
  return requireMessage(database.sql, actorId, messageId);
}

/**
 * Pins the message that an incoming webhook has just posted. If the room has the maximum number of
 * pins, the message stays unpinned.
 */
export async function pinPosted(db: Drizzle, { id, room_id }: Message): Promise<void> {
  await db.transaction(async (tx) => {
    await lockRoomRow(tx, room_id);
    const [row] = await tx
      .select({ room: rooms })
      .from(rooms)
      .innerJoin(messages, eq(messages.roomId, rooms.id))
      .where(and(eq(messages.id, id), isNull(messages.deletedAt)));
    if (!row || row.room.isArchived || row.room.pinCount >= MAX_PINS) return;
    await insertPin(tx, row.room, id, null);
  });
}

/** A conversation has no owner or admins, so everyone in it may pin and unpin. */
function refusePinning(room: RoomRow, { role }: MembershipRow): void {
  if (room.kind === "direct" || room.pinning === "members" || role !== "member") return;
  throw new Refusal("role_required", "Only the room's owner and admins pin messages here.");
}

/**
 * Unpins a message. Allowed for the person who pinned it, its author, the room's owner and admins, and
 * everyone in a conversation. Does nothing if the message is not pinned.
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
 * @throws Refusal of `requireMembership`; `validation` for an invalid cursor
 */
export async function listPins(
  client: SqlClient,
  viewerId: string,
  roomId: string,
  { cursor, limit }: PageQuery,
): Promise<Page<Message>> {
  await requireMembership(client, viewerId, roomId, "member");
  const { at, id } = parseTimedCursor(cursor) ?? NEWEST;
  const heads = await client<{ message_id: string; pinned_at: Date }[]>`
    select message_id, pinned_at from message_pins
    where room_id = ${roomId} and (pinned_at, message_id) < (${at}::timestamptz, ${id}::uuid)
    order by pinned_at desc, message_id desc limit ${limit + 1}`;
  const ids = heads.slice(0, limit).map((head) => head.message_id);
  const byId = await readViewersMessages(client, ids, viewerId);
  return toPage(
    heads,
    limit,
    ({ pinned_at, message_id }) => formatTimedKey(pinned_at, message_id),
    ({ message_id }) => byId.get(message_id) ?? null,
  );
}

type PinnedRoom = Pick<RoomRow, "id" | "kind">;

/**
 * Pins a message; the caller must hold the room's lock.
 * @param pinnedBy null for an incoming webhook
 * @throws Refusal `too_many_pins`
 */
async function insertPin(
  tx: Transaction,
  room: PinnedRoom & Pick<RoomRow, "pinCount">,
  messageId: string,
  pinnedBy: string | null,
): Promise<void> {
  const newPins = await tx
    .insert(messagePins)
    .values({ messageId, roomId: room.id, pinnedBy })
    .onConflictDoNothing()
    .returning({ messageId: messagePins.messageId });
  if (newPins.length === 0) return;
  if (room.pinCount >= MAX_PINS) {
    const detail = `A room holds ${MAX_PINS} pinned messages. Unpin one that is no longer needed.`;
    throw new Refusal("too_many_pins", detail);
  }
  await updateHasEmbeds(tx, messageId);
  await changePinCount(tx, room.id, 1);
  await announcePins(tx, room, messageId);
}

/**
 * Removes the pin of a message, under the room's lock. Call `announcePins` afterwards, and after the
 * deletion of the message if it is deleted.
 * @returns false if it was not pinned
 */
export async function removePin(
  tx: Transaction,
  roomId: string,
  messageId: string,
): Promise<boolean> {
  const pins = await tx.delete(messagePins).where(eq(messagePins.messageId, messageId)).returning();
  if (pins.length > 0) await changePinCount(tx, roomId, -1);
  return pins.length > 0;
}

/** Whether a message is pinned. If so, call `announcePins` after an edit, because lists show its text. */
export async function isPinned(tx: Transaction, messageId: string): Promise<boolean> {
  return (await tx.$count(messagePins, eq(messagePins.messageId, messageId))) > 0;
}

/** Announces at commit that a pin was added or removed, or that its message has changed. */
export async function announcePins(
  tx: Transaction,
  { id, kind }: PinnedRoom,
  messageId: string,
): Promise<void> {
  await appendEvent(tx, id, { type: "pin", messageId });
  if (kind !== "direct") return;
  // Members who do not have a conversation open receive only messages from its log.
  const members = await tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(eq(memberships.roomId, id));
  const user_ids = members.map(({ userId }) => userId);
  await notifyInstances(tx, { kind: "direct_updated", room_id: id, user_ids });
}

async function changePinCount(tx: Transaction, roomId: string, by: number): Promise<void> {
  const pinCount = sql`${rooms.pinCount} + ${by}`;
  await tx.update(rooms).set({ pinCount }).where(eq(rooms.id, roomId));
}

/** Reads the pins of rooms, by room id. */
export async function readRoomPins(sql: SqlClient, roomIds: string[]) {
  if (roomIds.length === 0) return new Map<string, ReturnType<typeof toPins>>();
  const rows = await sql<(PinColumns & { id: string })[]>`
    select r.id, ${sql.unsafe(pinColumns("r"))} from rooms r where r.id = any(${roomIds}::uuid[])`;
  return new Map(rows.map((row) => [row.id, toPins(row)]));
}
