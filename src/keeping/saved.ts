import { and, count, eq, isNull, sql } from "drizzle-orm";
import type { Database, Drizzle, SqlClient, Transaction } from "../database/connect.ts";
import { messages, savedMessages } from "../database/schema.ts";
import { requireMessage } from "../messages/history.ts";
import { toViewersMessage } from "../messages/read.ts";
import { makeMessageNotFound } from "../messages/refusals.ts";
import { readMessages } from "../messages/statements.ts";
import { toPage } from "../platform/cursor.ts";
import { makeInvalid, Refusal } from "../platform/refusal.ts";
import { formatTimedKey, parseTimedCursor } from "../platform/timed-cursor.ts";
import { MAX_NOTE_LENGTH, MAX_REMINDER_DAYS, MAX_SAVED } from "../wire/limits.ts";
import type { Saved, SavedIds, SaveMessage } from "../wire/keeping.ts";
import type { Page } from "../wire/models.ts";
import type { SavedQuery } from "../wire/queries.ts";
import { lockOwner, parseAhead } from "./own-rows.ts";
import { cancelReminder, isAt, notifySaved, setReminder } from "./reminders.ts";
import { readOpenSaved, readSavedPage, readSavedRow, type SavedRow } from "./saved-statements.ts";

/**
 * Lists what someone has saved and can read now, the newest first.
 * @throws Refusal `validation` for a cursor of another list
 */
export async function listSaved(
  client: SqlClient,
  userId: string,
  { filter, cursor, limit }: SavedQuery,
): Promise<Page<Saved>> {
  const after = parseTimedCursor(cursor);
  const rows = await readSavedPage(client, userId, { filter, after, limit: limit + 1 });
  const shown = await toSaved(client, userId, rows.slice(0, limit));
  const page = toPage(
    rows,
    limit,
    ({ listed_at, message_id }) => formatTimedKey(listed_at, message_id),
    ({ message_id }) => shown.get(message_id) ?? null,
  );
  // An entry whose message was deleted between the queries is left out.
  return { ...page, items: page.items.filter((item) => item !== null) };
}

/**
 * The ids of the saved messages that someone can read and has not done, and how many of them are
 * due.
 */
export async function readSavedIds(client: SqlClient, userId: string): Promise<SavedIds> {
  return readOpenSaved(client, userId);
}

/** A saved message as its owner sees it; null if it is not saved or cannot be read. */
export async function findSaved(
  client: SqlClient,
  userId: string,
  messageId: string,
): Promise<Saved | null> {
  const rows = await readSavedRow(client, userId, messageId);
  return (await toSaved(client, userId, rows)).get(messageId) ?? null;
}

/** The messages of all rows are read at once. */
async function toSaved(client: SqlClient, userId: string, rows: SavedRow[]) {
  const ids = rows.map((row) => row.message_id);
  const found = await readMessages(client, ids, userId);
  const byId = new Map(found.map((row) => [row.id, toViewersMessage(row, userId)]));
  const saved = new Map<string, Saved>();
  for (const { message_id, room, note, ...times } of rows) {
    const message = byId.get(message_id);
    if (!message) continue;
    saved.set(message_id, {
      ...{ message, room, note },
      saved_at: times.saved_at.toISOString(),
      remind_at: times.remind_at?.toISOString() ?? null,
      reminded_at: times.reminded_at?.toISOString() ?? null,
      done_at: times.done_at?.toISOString() ?? null,
    });
  }
  return saved;
}

/**
 * Saves a message that its caller can read, or changes the note and the reminder of one that is saved.
 * One that is done is open again.
 * @throws Refusal `message_not_found`, `not_a_member`, `too_many_saved`, `validation`
 */
export async function saveMessage(
  { db, sql: client }: Database,
  userId: string,
  messageId: string,
  { note, remind_at }: SaveMessage,
): Promise<Saved> {
  const { room_id: roomId } = await requireMessage(client, userId, messageId);
  const remindAt = remind_at && parseAhead(remind_at, "/remind_at", MAX_REMINDER_DAYS);
  const changed = {
    note: note === undefined ? undefined : cleanNote(note),
    // With a new time the reminder is sent again.
    ...(remind_at === undefined ? {} : { remindAt: remindAt || null, remindedAt: null }),
  };
  await db.transaction(async (tx) => {
    await lockOwner(tx, userId);
    await refuseDeleted(tx, messageId);
    const [known] = await tx.select().from(savedMessages).where(isAt(userId, messageId));
    const isOpen = known?.doneAt === null;
    if (!isOpen) await refuseTooMany(tx, userId);
    const opened = isOpen ? {} : { savedAt: sql`clock_timestamp()`, doneAt: null };
    await tx
      .insert(savedMessages)
      .values({ userId, messageId, roomId, ...changed })
      .onConflictDoUpdate({
        target: [savedMessages.userId, savedMessages.messageId],
        set: { ...changed, ...opened, hiddenSince: null },
      });
    if (remindAt) await setReminder(tx, userId, messageId, remindAt);
    else if (remind_at === null) await cancelReminder(tx, userId, messageId);
    await notifySaved(tx, userId, messageId);
  });
  const saved = await findSaved(client, userId, messageId);
  if (!saved) throw makeMessageNotFound();
  return saved;
}

/** @throws Refusal `validation` past 500 characters */
function cleanNote(note: string | null): string | null {
  const text = note?.trim() || null;
  if (text && [...text].length > MAX_NOTE_LENGTH) {
    throw makeInvalid("/note", `A note holds at most ${MAX_NOTE_LENGTH} characters.`);
  }
  return text;
}

/** Does nothing if the message is not saved, so that it reveals nothing about hidden messages. */
export async function deleteSaved(db: Drizzle, userId: string, messageId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const deleted = await tx
      .delete(savedMessages)
      .where(isAt(userId, messageId))
      .returning({ messageId: savedMessages.messageId });
    if (deleted.length === 0) return;
    await cancelReminder(tx, userId, messageId);
    await notifySaved(tx, userId, messageId);
  });
}

/**
 * Marks a saved message as done: its reminder does not come any more.
 * @throws Refusal `message_not_found` if it is not saved or cannot be read
 */
export async function finishSaved(
  { db, sql: client }: Database,
  userId: string,
  messageId: string,
): Promise<Saved> {
  const known = await findSaved(client, userId, messageId);
  if (!known) throw makeMessageNotFound();
  if (known.done_at) return known;
  await db.transaction(async (tx) => {
    await tx
      .update(savedMessages)
      .set({ doneAt: sql`clock_timestamp()` })
      .where(and(isAt(userId, messageId), isNull(savedMessages.doneAt)));
    await cancelReminder(tx, userId, messageId);
    await notifySaved(tx, userId, messageId);
  });
  return (await findSaved(client, userId, messageId)) ?? known;
}

/** @throws Refusal `message_not_found` for what is left of a deleted root */
async function refuseDeleted(tx: Transaction, messageId: string): Promise<void> {
  const [found] = await tx
    .select({ deletedAt: messages.deletedAt })
    .from(messages)
    .where(eq(messages.id, messageId));
  if (!found || found.deletedAt) throw makeMessageNotFound();
}

/** @throws Refusal `too_many_saved` */
async function refuseTooMany(tx: Transaction, userId: string): Promise<void> {
  const [row] = await tx
    .select({ open: count() })
    .from(savedMessages)
    .where(and(eq(savedMessages.userId, userId), isNull(savedMessages.doneAt)));
  if ((row?.open ?? 0) < MAX_SAVED) return;
  const max = MAX_SAVED.toLocaleString("en");
  throw new Refusal("too_many_saved", `You have saved ${max} messages. Mark some as done first.`);
}
