import { and, eq, isNull } from "drizzle-orm";
import type { Database, Drizzle, SqlClient } from "../database/connect.ts";
import { messagePins, messages, rooms } from "../database/schema.ts";
import { toPage } from "../platform/cursor.ts";
import { Refusal } from "../platform/refusal.ts";
import { formatTimedKey, parseTimedCursor } from "../platform/timed-cursor.ts";
import { checkSeat, lockRoomRow, type MembershipRow, type RoomRow } from "../rooms/access.ts";
import { refuseReadOnly } from "../rooms/write-refusals.ts";
import { MAX_PINS } from "../wire/limits.ts";
import type { Message, Page } from "../wire/models.ts";
import type { PageQuery } from "../wire/queries.ts";
import { isOwn, lockMessage } from "./lock.ts";
import { requireMessage } from "./history.ts";
import { announcePins, insertPin, removePin } from "./pin-rows.ts";
import { readPinHeads } from "./pin-statements.ts";
import { toViewersMessage } from "./read.ts";
import { makeMessageNotFound } from "./refusals.ts";
import { updateHasEmbeds } from "./references.ts";
import { readMessages } from "./statements.ts";

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
 * @throws Refusal of `checkSeat`; `validation` for a cursor of another list
 */
export async function listPins(
  client: SqlClient,
  viewerId: string,
  roomId: string,
  { cursor, limit }: PageQuery,
): Promise<Page<Message>> {
  await checkSeat(client, viewerId, roomId, "member");
  const heads = await readPinHeads(client, roomId, parseTimedCursor(cursor), limit + 1);
  const ids = heads.slice(0, limit).map((head) => head.message_id);
  const found = await readMessages(client, ids, viewerId);
  const byId = new Map(found.map((row) => [row.id, toViewersMessage(row, viewerId)]));
  const page = toPage(
    heads,
    limit,
    ({ pinned_at, message_id }) => formatTimedKey(pinned_at, message_id),
    ({ message_id }) => byId.get(message_id) ?? null,
  );
  // One that was deleted between the queries is left out.
  return { ...page, items: page.items.filter((item) => item !== null) };
}
