import { and, eq, sql } from "drizzle-orm";
import { lockCredential } from "../authentication/credentials.ts";
import { lockUser } from "../users/users.ts";
import type { Database, Query, SqlClient, Transaction } from "../database/connect.ts";
import { ROOM_SHARD, scheduledMessages } from "../database/schema.ts";
import { clearRestoredDraft } from "../drafts/drafts.ts";
import { notifyInstances } from "../feed/signals.ts";
import { enqueueJob, enqueueJobs } from "../jobs-queue/enqueue.ts";
import { checkContent, cleanImageAlt } from "../messages/new-message.ts";
import { refuseBroadcast } from "../messages/references.ts";
import { makeUsedClientIdRefusal } from "../messages/refusals.ts";
import {
  checkTargets,
  type Targets,
  checkOwnUploads,
  toRoomRef,
  toUploads,
  type UnsentColumns,
  unsentColumns,
  unsentJoins,
} from "../messages/unsent.ts";
import { formatTimedKey, parseTimedCursor, toPage } from "../platform/input/cursor.ts";
import { Refusal } from "../platform/refusal.ts";
import { parseFutureTime, requireTimeZone } from "../platform/input/time.ts";
import { lockMembership } from "../rooms/access.ts";
import { refuseReadOnly } from "../rooms/refusals.ts";
import type { Actor } from "../routing/actor.ts";
import { LATE_SECONDS, MAX_SCHEDULED, MAX_SCHEDULED_DAYS } from "../wire/limits.ts";
import { extractReferences } from "../wire/markdown/extract.ts";
import type { Page } from "../wire/models.ts";
import type { PageQuery } from "../wire/queries.ts";
import type { ChangeScheduled, Scheduled, ScheduleMessage } from "../wire/scheduled-messages.ts";

type ScheduledRow = UnsentColumns &
  Pick<Scheduled, "id" | "thread_id" | "quote_id" | "content" | "group_id" | "zone"> &
  Pick<Scheduled, "state" | "reason" | "message_id" | "sent_late"> & {
    image_alt: string | null;
    send_at: Date;
    ended_at: Date | null;
    created_at: Date;
  };

const columns = (client: SqlClient) => client`
  s.id, s.room_id, s.thread_id, s.quote_id, s.content, s.image_alt, s.group_id, s.send_at, s.zone,
  s.state, s.reason, s.message_id, s.ended_at, s.created_at,
  s.state = 'sent' and s.ended_at > s.send_at + ${LATE_SECONDS} * interval '1 second' as sent_late,
  ${client.unsafe(unsentColumns("s"))}`;

type ScheduledFields = typeof scheduledMessages.$inferSelect;

type ScheduledParts = Omit<ScheduleMessage, "room_id" | "send_at" | "zone" | "client_id">;

/** @throws Refusal `empty_message`, `validation` */
function readParts(body: ScheduledParts) {
  const { image_id = null, file_id = null, image_alt } = body;
  return {
    content: checkContent(body.content, image_id !== null || file_id !== null),
    imageId: image_id,
    imageAlt: image_id === null ? null : cleanImageAlt(image_alt),
    fileId: file_id,
    groupId: body.group_id ?? null,
    threadId: body.thread_id ?? null,
    quoteId: body.quote_id ?? null,
  };
}

export function toBody(row: ScheduledFields): ScheduledParts {
  return {
    content: row.content,
    image_id: row.imageId,
    image_alt: row.imageAlt,
    file_id: row.fileId,
    group_id: row.groupId,
    thread_id: row.threadId,
    quote_id: row.quoteId,
  };
}

function toScheduledMessage(row: ScheduledRow): Scheduled {
  const { id, room_id, thread_id, quote_id, content, group_id, zone, state, reason } = row;
  return {
    id,
    room_id,
    room: toRoomRef(row),
    thread_id,
    quote_id,
    content,
    ...toUploads(row, row.image_alt),
    group_id,
    send_at: row.send_at.toISOString(),
    zone,
    state,
    reason,
    message_id: row.message_id,
    sent_late: row.sent_late,
    ended_at: row.ended_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

const sendKey = (shard: number) => `scheduled:${shard}`;

/** Queues the job that sends the due messages of the room's shard, or moves it to an earlier time. */
export async function setSendJob(tx: Query, roomId: string, at: Date): Promise<void> {
  // The last digit of the room's id, as in `ROOM_SHARD`.
  const shard = Number.parseInt(roomId.slice(-1), 16);
  const job = { kind: "send_scheduled", payload: { shard }, key: sendKey(shard) } as const;
  await enqueueJob(tx, { ...job, at }, "earlier");
}

/**
 * Lists a user's scheduled messages, ordered by time. Sent messages are listed for a day.
 * @throws Refusal `validation` for an invalid cursor
 */
export async function listScheduledMessages(
  client: SqlClient,
  userId: string,
  { cursor, limit }: PageQuery,
): Promise<Page<Scheduled>> {
  const after = parseTimedCursor(cursor);
  const [time, afterId] = [after?.at ?? null, after?.id ?? null];
  const rows = await client<ScheduledRow[]>`
    select ${columns(client)} from scheduled_messages s ${client.unsafe(unsentJoins("s"))}
    where s.user_id = ${userId}
      and (s.state <> 'sent' or s.ended_at > clock_timestamp() - interval '1 day')
      and (${time}::timestamptz is null or (s.send_at, s.id) > (${time}::timestamptz, ${afterId}::uuid))
    order by s.send_at, s.id limit ${limit + 1}`;
  return toPage(rows, limit, ({ send_at, id }) => formatTimedKey(send_at, id), toScheduledMessage);
}

/** Reads the scheduled messages with these ids; ignores ids that the user does not own. */
export async function readScheduledByIds(
  client: SqlClient,
  userId: string,
  ids: string[],
): Promise<Map<string, Scheduled>> {
  const rows = await client<ScheduledRow[]>`
    select ${columns(client)} from scheduled_messages s ${client.unsafe(unsentJoins("s"))}
    where s.user_id = ${userId} and s.id = any(${ids}::uuid[])`;
  return new Map(rows.map((row) => [row.id, toScheduledMessage(row)]));
}

/**
 * Schedules a message. The author needs permission to post now, and again when it is sent.
 * @returns `isNew` is false for a `client_id` that was scheduled before
 * @throws Refusal of `lockMembership`; `room_archived`, `conversation_closed`, `empty_message`,
 * `broadcast_restricted`, `unknown_thread`, `threads_off`, `unknown_quote`, `unknown_upload`,
 * `client_id_used`, `too_many_scheduled`, `validation`
 */
export async function scheduleMessage(
  { db, sql: client }: Database,
  actor: Actor,
  body: ScheduleMessage,
): Promise<{ scheduled: Scheduled; isNew: boolean }> {
  const { id: userId } = actor;
  const id = body.client_id?.toLowerCase() ?? Bun.randomUUIDv7();
  const sendAt = parseFutureTime(body.send_at, "/send_at", MAX_SCHEDULED_DAYS);
  requireTimeZone(body.zone, "/zone");
  const isNew = await db.transaction(async (tx) => {
    await lockUser(tx, { id: userId });
    const credential = await lockCredential(tx, actor);
    const [existing] = await tx
      .select()
      .from(scheduledMessages)
      .where(eq(scheduledMessages.id, id));
    if (existing && existing.userId !== userId) throw makeUsedClientIdRefusal();
    if (existing) return false;
    const parts = readParts(body);
    await checkPlace(tx, userId, body.room_id, parts);
    await refuseTooManyScheduled(tx, userId);
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
    await notifyScheduledMessages(tx, userId, id);
    return true;
  });
  return { scheduled: await requireScheduledMessage(client, userId, id), isNew };
}

/**
 * Changes the given fields. A failed message becomes waiting again, for a new time or for the stored
 * time if that is in the future.
 * @throws Refusal `scheduled_not_found`, `already_sent` and those of `scheduleMessage`
 */
export async function changeScheduledMessage(
  { db, sql: client }: Database,
  actor: Actor,
  id: string,
  body: ChangeScheduled,
): Promise<Scheduled> {
  const { id: userId } = actor;
  await db.transaction(async (tx) => {
    await lockUser(tx, { id: userId });
    const credential = await lockCredential(tx, actor);
    const row = await lockScheduledMessage(tx, userId, id);
    const roomId = body.room_id ?? row.roomId;
    const parts = readParts({ ...toBody(row), ...body });
    // A quoted message that has been deleted since is ignored when sending.
    const isQuoteKept = body.quote_id === undefined && roomId === row.roomId;
    await checkPlace(tx, userId, roomId, { ...parts, ...(isQuoteKept && { quoteId: null }) });
    if (body.zone !== undefined) requireTimeZone(body.zone, "/zone");
    // A waiting message may be due in less than a minute and keep its time.
    const isKept = body.send_at === undefined && row.state === "waiting";
    const text = body.send_at ?? row.sendAt.toISOString();
    const sendAt = isKept ? row.sendAt : parseFutureTime(text, "/send_at", MAX_SCHEDULED_DAYS);
    if (row.state === "failed") {
      await refuseTooManyScheduled(tx, userId);
      await clearRestoredDraft(tx, row);
    }
    await tx
      .update(scheduledMessages)
      .set({
        ...credential,
        roomId,
        ...parts,
        sendAt,
        zone: body.zone ?? row.zone,
        state: "waiting",
        reason: null,
        endedAt: null,
      })
      .where(eq(scheduledMessages.id, id));
    await setSendJob(tx, roomId, sendAt);
    await notifyScheduledMessages(tx, userId, id);
  });
  return requireScheduledMessage(client, userId, id);
}

/**
 * Deletes a user's scheduled message and notifies their sockets.
 * @returns the deleted message
 * @throws Refusal `scheduled_not_found`, `already_sent`
 */
export async function removeScheduledMessage(
  tx: Transaction,
  userId: string,
  id: string,
): Promise<ScheduledFields> {
  const row = await lockScheduledMessage(tx, userId, id);
  await tx.delete(scheduledMessages).where(eq(scheduledMessages.id, id));
  await notifyScheduledMessages(tx, userId, id);
  return row;
}

/**
 * Locks a user's scheduled message, unless it has been sent or is being sent.
 * @throws Refusal `scheduled_not_found`, `already_sent`
 */
export async function lockScheduledMessage(
  tx: Transaction,
  userId: string,
  id: string,
): Promise<ScheduledFields> {
  const [row] = await tx
    .select()
    .from(scheduledMessages)
    .where(and(eq(scheduledMessages.id, id), eq(scheduledMessages.userId, userId)))
    .for("update");
  if (!row) {
    throw new Refusal("scheduled_not_found", "There is no such scheduled message.");
  }
  if (row.state === "sent" || row.sendingAt) {
    throw new Refusal("already_sent", "This message was already sent. It is in its room.");
  }
  return row;
}

/** Notifies the author's own sockets when the transaction commits. */
async function notifyScheduledMessages(tx: Query, userId: string, id: string): Promise<void> {
  await notifyInstances(tx, { kind: "scheduled_changed", user_id: userId, ids: [id] });
}

async function requireScheduledMessage(
  client: SqlClient,
  userId: string,
  id: string,
): Promise<Scheduled> {
  const message = (await readScheduledByIds(client, userId, [id])).get(id);
  if (!message) throw new Refusal("scheduled_not_found", "There is no such scheduled message.");
  return message;
}

/**
 * Checks that the user may post such a message in the room.
 * @throws Refusal of `lockMembership` and `checkTargets`; `room_archived`, `conversation_closed`,
 * `broadcast_restricted`, `unknown_upload`
 */
async function checkPlace(
  tx: Transaction,
  userId: string,
  roomId: string,
  parts: Targets & { content: string | null; imageId: string | null; fileId: string | null },
): Promise<void> {
  const { room } = await lockMembership(tx, userId, roomId, "member", "key share");
  refuseReadOnly(room, "post");
  if (extractReferences(parts.content).broadcast) {
    await refuseBroadcast(tx, { userId, roomId });
  }
  await checkTargets(tx, room, parts);
  await checkOwnUploads(tx, userId, roomId, { image_id: parts.imageId, file_id: parts.fileId });
}

async function refuseTooManyScheduled(tx: Transaction, userId: string): Promise<void> {
  const [row] = await tx.execute<{ waiting: number }>(sql`
    select count(*)::int as waiting from scheduled_messages
    where user_id = ${userId} and state = 'waiting'`);
  if ((row?.waiting ?? 0) < MAX_SCHEDULED) return;
  const detail = `${MAX_SCHEDULED} messages wait already. Delete one, or send it now.`;
  throw new Refusal("too_many_scheduled", detail);
}

const PRUNE_BATCH = 1_000;
/** Unchanged failed messages are deleted after this many days. */
const FAILED_DAYS = 180;
/** If a message is still waiting this long after its time, its job is considered lost. */
const OVERDUE_MINUTES = 10;

export async function pruneScheduledMessages(
  { db, sql: client }: Database,
  signal: AbortSignal,
): Promise<void> {
  const deleteOldFailures = () => client`
    delete from scheduled_messages where id = any(array(
      select id from scheduled_messages
      where state = 'sent' and ended_at < clock_timestamp() - interval '1 day'
        or state = 'failed' and ended_at < clock_timestamp() - ${FAILED_DAYS} * interval '1 day'
      limit ${PRUNE_BATCH}))`;
  while (!signal.aborted && (await deleteOldFailures()).count === PRUNE_BATCH);
  const overdue = await client<{ shard: number }[]>`
    select distinct ${client.unsafe(ROOM_SHARD)} as shard from scheduled_messages
    where state = 'waiting' and send_at < clock_timestamp() - ${OVERDUE_MINUTES} * interval '1 minute'`;
  // If a job with the same key is waiting or running, no second one is queued.
  await enqueueJobs(
    db,
    overdue.map(({ shard }) => ({
      kind: "send_scheduled",
      payload: { shard },
      key: sendKey(shard),
    })),
  );
}
