import { and, count, eq } from "drizzle-orm";
import type { Database, Drizzle, Query, SqlClient, Transaction } from "../database/connect.ts";
import { scheduledMessages } from "../database/schema.ts";
import { notifyInstances } from "../feed/signals.ts";
import { makeUsedClientId } from "../messages/refusals.ts";
import { checkTargets, type Targets } from "../messages/targets.ts";
import { toPage } from "../platform/cursor.ts";
import { Refusal } from "../platform/refusal.ts";
import { formatTimedKey, parseTimedCursor } from "../platform/timed-cursor.ts";
import { lockCredential } from "../accounts/lock-user.ts";
import type { Actor } from "../routing/actor.ts";
import { readSeat } from "../rooms/access.ts";
import { refuseReadOnly } from "../rooms/write-refusals.ts";
import { MAX_SCHEDULED, MAX_SCHEDULED_DAYS } from "../wire/limits.ts";
import type { ChangeScheduled, Scheduled, ScheduleMessage } from "../wire/keeping.ts";
import type { Page } from "../wire/models.ts";
import type { PageQuery } from "../wire/queries.ts";
import { clearRestoredDraft } from "./drafts.ts";
import { checkOwnUploads, lockOwner, parseAhead } from "./own-rows.ts";
import {
  checkZone,
  readParts,
  type ScheduledFields,
  setSendJob,
  toBody,
  toScheduled,
} from "./scheduled-parts.ts";
import { readScheduled, readScheduledPage } from "./scheduled-statements.ts";

/**
 * Lists someone's scheduled messages, by their time.
 * @throws Refusal `validation` for a cursor of another list
 */
export async function listScheduled(
  client: SqlClient,
  userId: string,
  { cursor, limit }: PageQuery,
): Promise<Page<Scheduled>> {
  const rows = await readScheduledPage(client, userId, parseTimedCursor(cursor), limit + 1);
  return toPage(rows, limit, ({ send_at, id }) => formatTimedKey(send_at, id), toScheduled);
}

/** Those of someone's scheduled messages with these ids; others are left out. */
export async function readScheduledByIds(
  client: SqlClient,
  userId: string,
  ids: string[],
): Promise<Map<string, Scheduled>> {
  const rows = await readScheduled(client, userId, ids);
  return new Map(rows.map((row) => [row.id, toScheduled(row)]));
}

/**
 * Schedules a message. Its author needs the rights of a post now, and again when it is sent.
 * @returns `isNew` is false for a `client_id` that was scheduled before
 * @throws Refusal of `readSeat`; `room_archived`, `conversation_closed`, `empty_message`,
 * `unknown_thread`, `threads_off`, `unknown_quote`, `unknown_upload`, `client_id_used`,
 * `too_many_scheduled`, `validation`
 */
export async function scheduleMessage(
  { db, sql: client }: Database,
  actor: Actor,
  body: ScheduleMessage,
): Promise<{ scheduled: Scheduled; isNew: boolean }> {
  const { id: userId } = actor;
  const id = body.client_id?.toLowerCase() ?? Bun.randomUUIDv7();
  const sendAt = parseAhead(body.send_at, "/send_at", MAX_SCHEDULED_DAYS);
  checkZone(body.zone);
  const isNew = await db.transaction(async (tx) => {
    await lockOwner(tx, userId);
    const credential = await lockCredential(tx, actor);
    const [known] = await tx.select().from(scheduledMessages).where(eq(scheduledMessages.id, id));
    if (known && known.userId !== userId) throw makeUsedClientId();
    if (known) return false;
    const parts = readParts(body);
    await checkPlace(tx, userId, body.room_id, parts);
    await refuseTooMany(tx, userId);
    await tx.insert(scheduledMessages).values({
      id,
      userId,
      roomId: body.room_id,
      ...parts,
      ...credential,
      sendAt,
      zone: body.zone,
    });
    await setSendJob(tx, body.room_id, sendAt);
    await notifyScheduled(tx, userId, id);
    return true;
  });
  return { scheduled: await requireScheduled(client, userId, id), isNew };
}

/**
 * Changes the fields that are present. A failed message waits again, for a new time or for its own
 * if that is still ahead.
 * @throws Refusal `scheduled_not_found`, `already_sent` and those of `scheduleMessage`
 */
export async function changeScheduled(
  { db, sql: client }: Database,
  actor: Actor,
  id: string,
  body: ChangeScheduled,
): Promise<Scheduled> {
  const { id: userId } = actor;
  await db.transaction(async (tx) => {
    await lockOwner(tx, userId);
    const credential = await lockCredential(tx, actor);
    const known = await lockScheduled(tx, userId, id);
    const roomId = body.room_id ?? known.roomId;
    const parts = readParts({ ...toBody(known), ...body });
    // A quote that has gone since is left out when the message is sent.
    const isQuoteKept = body.quote_id === undefined && roomId === known.roomId;
    await checkPlace(tx, userId, roomId, { ...parts, ...(isQuoteKept && { quoteId: null }) });
    if (body.zone !== undefined) checkZone(body.zone);
    // A message that waits may be due in less than a minute, and keep its time.
    const isKept = body.send_at === undefined && known.state === "waiting";
    const text = body.send_at ?? known.sendAt.toISOString();
    const sendAt = isKept ? known.sendAt : parseAhead(text, "/send_at", MAX_SCHEDULED_DAYS);
    if (known.state === "failed") {
      await refuseTooMany(tx, userId);
      await clearCopy(tx, known);
    }
    await tx
      .update(scheduledMessages)
      .set({
        ...credential,
        ...{ roomId, ...parts, sendAt, zone: body.zone ?? known.zone },
        ...{ state: "waiting", reason: null, endedAt: null },
      })
      .where(eq(scheduledMessages.id, id));
    await setSendJob(tx, roomId, sendAt);
    await notifyScheduled(tx, userId, id);
  });
  return requireScheduled(client, userId, id);
}

/** @throws Refusal `scheduled_not_found`, `already_sent` */
export async function deleteScheduled(db: Drizzle, userId: string, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    await lockScheduled(tx, userId, id);
    await tx.delete(scheduledMessages).where(eq(scheduledMessages.id, id));
    await notifyScheduled(tx, userId, id);
  });
}

/**
 * Locks someone's scheduled message that was not sent and is not being sent.
 * @throws Refusal `scheduled_not_found`, `already_sent`
 */
export async function lockScheduled(
  tx: Transaction,
  userId: string,
  id: string,
): Promise<ScheduledFields> {
  const [known] = await tx
    .select()
    .from(scheduledMessages)
    .where(and(eq(scheduledMessages.id, id), eq(scheduledMessages.userId, userId)))
    .for("update");
  if (!known) {
    throw new Refusal("scheduled_not_found", "There is no such scheduled message of yours.");
  }
  if (known.state === "sent" || known.sendingAt) {
    throw new Refusal("already_sent", "This message has been sent. You find it in its room.");
  }
  return known;
}

/** Clears the draft into which a failed one's text was put, if it is still the same. */
export async function clearCopy(
  tx: Transaction,
  { userId, roomId, threadId, id, content }: ScheduledFields,
): Promise<void> {
  await clearRestoredDraft(tx, { userId, roomId, threadId }, id, content);
}

/** Notifies the author's own sockets, at the commit. */
async function notifyScheduled(tx: Query, userId: string, id: string): Promise<void> {
  await notifyInstances(tx, { kind: "scheduled_changed", user_id: userId, ids: [id] });
}

async function requireScheduled(client: SqlClient, userId: string, id: string): Promise<Scheduled> {
  const found = (await readScheduledByIds(client, userId, [id])).get(id);
  if (!found) throw new Refusal("scheduled_not_found", "There is no such scheduled message.");
  return found;
}

/**
 * Checks that the user may post a message with these parts in a room.
 * @throws Refusal of `readSeat` and `checkTargets`; `room_archived`, `conversation_closed`,
 * `unknown_upload`
 */
async function checkPlace(
  tx: Transaction,
  userId: string,
  roomId: string,
  parts: Targets & { imageId: string | null; fileId: string | null },
): Promise<void> {
  const { room } = await readSeat(tx, userId, roomId, "member");
  refuseReadOnly(room, "post");
  await checkTargets(tx, room, parts);
  await checkOwnUploads(tx, userId, roomId, { image_id: parts.imageId, file_id: parts.fileId });
}

/** @throws Refusal `too_many_scheduled` */
async function refuseTooMany(tx: Transaction, userId: string): Promise<void> {
  const [row] = await tx
    .select({ waiting: count() })
    .from(scheduledMessages)
    .where(and(eq(scheduledMessages.userId, userId), eq(scheduledMessages.state, "waiting")));
  if ((row?.waiting ?? 0) < MAX_SCHEDULED) return;
  const detail = `${MAX_SCHEDULED} messages wait already. Delete one, or send it now.`;
  throw new Refusal("too_many_scheduled", detail);
}
