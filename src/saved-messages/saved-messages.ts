import { and, isNull, sql } from "drizzle-orm";
import { lockUser } from "../users/users.ts";
import type { Database, Drizzle, SqlClient, Transaction } from "../database/connect.ts";
import { savedMessages } from "../database/schema.ts";
import { requireMessage } from "../messages/access.ts";
import { readViewersMessages } from "../messages/read.ts";
import { makeMessageNotFoundRefusal } from "../messages/refusals.ts";
import { formatTimedKey, NEWEST, parseTimedCursor, toPage } from "../platform/input/cursor.ts";
import { makeFieldRefusal, Refusal } from "../platform/refusal.ts";
import { parseFutureTime } from "../platform/input/time.ts";
import { MAX_NOTE_LENGTH, MAX_REMINDER_DAYS, MAX_SAVED } from "../wire/limits.ts";
import type { Saved, SavedIds, SaveMessage } from "../wire/saved-messages.ts";
import type { Page, RoomRef } from "../wire/models.ts";
import type { SavedQuery } from "../wire/queries.ts";
import { cancelReminder, isAt, notifySavedMessages, setReminder } from "./reminders.ts";

type SavedRow = {
  message_id: string;
  room: RoomRef;
  note: string | null;
  saved_at: Date;
  remind_at: Date | null;
  reminded_at: Date | null;
  done_at: Date | null;
  listed_at: Date;
};

/**
 * SQL for a user's saved messages that they can currently read. A deleted room has no members, and the
 * deleted root of a thread cannot be saved.
 */
const readable = (client: SqlClient, userId: string) => client`
  saved_messages s
  join memberships ms on ms.room_id = s.room_id and ms.user_id = s.user_id
  join rooms r on r.id = s.room_id
  where s.user_id = ${userId}`;

const columns = (client: SqlClient) => client`
  s.message_id, s.note, s.saved_at, s.remind_at, s.reminded_at, s.done_at,
  json_build_object('id', r.id, 'kind', r.kind, 'name', r.name) as room`;

const IS_DUE = "s.done_at is null and s.remind_at <= clock_timestamp()";

const ORDERS: Record<SavedQuery["filter"], { at: string; is: string }> = {
  open: { at: "s.saved_at", is: "s.done_at is null" },
  due: { at: "s.remind_at", is: IS_DUE },
  done: { at: "s.done_at", is: "s.done_at is not null" },
};

/**
 * Lists the messages that a user has saved and can currently read, the newest first.
 * @throws Refusal `validation` for an invalid cursor
 */
export async function listSavedMessages(
  client: SqlClient,
  userId: string,
  { filter, cursor, limit }: SavedQuery,
): Promise<Page<Saved>> {
  const order = ORDERS[filter];
  const at = client.unsafe(order.at);
  const after = parseTimedCursor(cursor) ?? NEWEST;
  const rows = await client<SavedRow[]>`
    select ${columns(client)}, ${at} as listed_at from ${readable(client, userId)}
      and ${client.unsafe(order.is)}
      and (${at}, s.message_id) < (${after.at}::timestamptz, ${after.id}::uuid)
    order by ${at} desc, s.message_id desc limit ${limit + 1}`;
  const savedById = await toSavedMessage(client, userId, rows.slice(0, limit));
  return toPage(
    rows,
    limit,
    ({ listed_at, message_id }) => formatTimedKey(listed_at, message_id),
    ({ message_id }) => savedById.get(message_id) ?? null,
  );
}

/** Reads a saved message as its owner sees it; null if it is not saved or not readable. */
export async function findSavedMessage(
  client: SqlClient,
  userId: string,
  messageId: string,
): Promise<Saved | null> {
  const rows = await client<SavedRow[]>`
    select ${columns(client)}, s.saved_at as listed_at from ${readable(client, userId)}
      and s.message_id = ${messageId}`;
  return (await toSavedMessage(client, userId, rows)).get(messageId) ?? null;
}

/**
 * Reads the ids of a user's open saved messages that they can read, the newest first, and how many
 * reminders are due.
 */
export async function readSavedIds(client: SqlClient, userId: string): Promise<SavedIds> {
  const [row] = await client<{ ids: string | null; due_count: number }[]>`
    select string_agg(s.message_id::text, ' ' order by s.saved_at desc, s.message_id desc) as ids,
      count(*) filter (where ${client.unsafe(IS_DUE)})::int as due_count
    from saved_messages s
    join memberships ms on ms.room_id = s.room_id and ms.user_id = s.user_id
    where s.user_id = ${userId} and s.done_at is null`;
  return { ids: row?.ids?.split(" ") ?? [], due_count: row?.due_count ?? 0 };
}

/** Reads the messages of all rows with one query. */
async function toSavedMessage(client: SqlClient, userId: string, rows: SavedRow[]) {
  const ids = rows.map((row) => row.message_id);
  const byId = await readViewersMessages(client, ids, userId);
  const savedById = new Map<string, Saved>();
  for (const { message_id, room, note, ...times } of rows) {
    const message = byId.get(message_id);
    if (!message) continue;
    savedById.set(message_id, {
      message,
      room,
      note,
      saved_at: times.saved_at.toISOString(),
      remind_at: times.remind_at?.toISOString() ?? null,
      reminded_at: times.reminded_at?.toISOString() ?? null,
      done_at: times.done_at?.toISOString() ?? null,
    });
  }
  return savedById;
}

/**
 * Saves a message that the caller can read, or changes the note and reminder of a saved one. A message
 * marked as done becomes open again.
 * @throws Refusal `message_not_found`, `not_a_member`, `too_many_saved`, `validation`
 */
export async function saveMessage(
  { db, sql: client }: Database,
  userId: string,
  messageId: string,
  { note, remind_at }: SaveMessage,
): Promise<Saved> {
  const { room_id: roomId } = await requireMessage(client, userId, messageId);
  const remindAt = remind_at && parseFutureTime(remind_at, "/remind_at", MAX_REMINDER_DAYS);
  const values = {
    note: note === undefined ? undefined : cleanNote(note),
    // A new time makes the reminder due again.
    ...(remind_at === undefined ? {} : { remindAt: remindAt || null, remindedAt: null }),
  };
  await db.transaction(async (tx) => {
    await lockUser(tx, { id: userId });
    await lockSavedMessage(tx, messageId);
    const [row] = await tx.select().from(savedMessages).where(isAt(userId, messageId));
    const isOpen = row?.doneAt === null;
    if (!isOpen) await refuseTooManySaved(tx, userId);
    const openColumns = isOpen ? {} : { savedAt: sql`clock_timestamp()`, doneAt: null };
    await tx
      .insert(savedMessages)
      .values({ userId, messageId, roomId, ...values })
      .onConflictDoUpdate({
        target: [savedMessages.userId, savedMessages.messageId],
        set: { ...values, ...openColumns, hiddenSince: null },
      });
    if (remindAt) await setReminder(tx, userId, messageId, remindAt);
    else if (remind_at === null) await cancelReminder(tx, userId, messageId);
    await notifySavedMessages(tx, userId, messageId);
  });
  const savedMessage = await findSavedMessage(client, userId, messageId);
  if (!savedMessage) throw makeMessageNotFoundRefusal();
  return savedMessage;
}

/** @throws Refusal `validation` above 500 characters */
function cleanNote(note: string | null): string | null {
  const text = note?.trim() || null;
  if (text && [...text].length > MAX_NOTE_LENGTH) {
    throw makeFieldRefusal("/note", `A note can have at most ${MAX_NOTE_LENGTH} characters.`);
  }
  return text;
}

/** Succeeds even if the message is not saved, so as not to reveal whether a message exists. */
export async function deleteSavedMessage(
  db: Drizzle,
  userId: string,
  messageId: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const rows = await tx
      .delete(savedMessages)
      .where(isAt(userId, messageId))
      .returning({ messageId: savedMessages.messageId });
    if (rows.length === 0) return;
    await cancelReminder(tx, userId, messageId);
    await notifySavedMessages(tx, userId, messageId);
  });
}

/**
 * Marks a saved message as done, which cancels its reminder.
 * @throws Refusal `message_not_found` if it is not saved or not readable
 */
export async function finishSavedMessage(
  { db, sql: client }: Database,
  userId: string,
  messageId: string,
): Promise<Saved> {
  const savedMessage = await findSavedMessage(client, userId, messageId);
  if (!savedMessage) throw makeMessageNotFoundRefusal();
  if (savedMessage.done_at) return savedMessage;
  await db.transaction(async (tx) => {
    await tx
      .update(savedMessages)
      .set({ doneAt: sql`clock_timestamp()` })
      .where(and(isAt(userId, messageId), isNull(savedMessages.doneAt)));
    await cancelReminder(tx, userId, messageId);
    await notifySavedMessages(tx, userId, messageId);
  });
  return (await findSavedMessage(client, userId, messageId)) ?? savedMessage;
}

/**
 * Locks a message, so that it cannot be deleted until the commit.
 * @throws Refusal `message_not_found`, also for the deleted root of a thread
 */
async function lockSavedMessage(tx: Transaction, messageId: string): Promise<void> {
  const [message] = await tx.execute(
    sql`select from messages where id = ${messageId} and deleted_at is null for share`,
  );
  if (!message) throw makeMessageNotFoundRefusal();
}

async function refuseTooManySaved(tx: Transaction, userId: string): Promise<void> {
  const [row] = await tx.execute<{ open: number }>(sql`
    select count(*)::int as open from saved_messages where user_id = ${userId} and done_at is null`);
  if ((row?.open ?? 0) < MAX_SAVED) return;
  const max = MAX_SAVED.toLocaleString("en");
  throw new Refusal("too_many_saved", `You have saved ${max} messages. Mark some as done first.`);
}

/** A saved message is deleted after its owner was unable to read it for this long. */
const HIDDEN_DAYS = 90;

/**
 * Records when saved messages became unreadable for their owners, and deletes those that have been
 * unreadable for 90 days.
 */
export async function pruneSavedMessages(client: SqlClient): Promise<void> {
  await client`
    with seen as materialized (
      select s.user_id, s.message_id, s.hidden_since, ms.user_id is null as is_hidden
      from saved_messages s
      left join memberships ms on ms.room_id = s.room_id and ms.user_id = s.user_id
    ), changed as (
      update saved_messages s set hidden_since = case when seen.is_hidden then clock_timestamp() end
      from seen where s.user_id = seen.user_id and s.message_id = seen.message_id
        and seen.is_hidden <> (seen.hidden_since is not null)
    )
    delete from saved_messages s using seen
    where s.user_id = seen.user_id and s.message_id = seen.message_id and seen.is_hidden
      and seen.hidden_since < clock_timestamp() - ${HIDDEN_DAYS} * interval '1 day'`;
}
