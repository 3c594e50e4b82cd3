import { sql } from "drizzle-orm";
import type { Drizzle } from "../database/connect.ts";
import type { JobPayloads, SelfNotice } from "../jobs-queue/kinds.ts";
import { Refusal } from "../platform/refusal.ts";
import { countAttempt } from "../rate-limits/rate-limits.ts";
import { isQuiet } from "../wire/quiet-hours.ts";
import { toPlainText } from "../wire/markdown/plain.ts";
import type { PushPreview, QuietHours } from "../wire/models.ts";
import type { PushPayload } from "../wire/push.ts";
import { type PushDeps, retryOrDrop } from "./notify.ts";
import { buildTestPayload, NEWS_SECONDS, topicOf, truncateToFit } from "./payload.ts";
import type { PushOptions, PushResult } from "./send.ts";
import { deleteSubscriptions, readSubscriptions, type Subscription } from "./subscriptions.ts";

/** The content of a notification about someone's own messages, and where a click leads. */
type Notice = { title: string; text: string; path: string; topic: string };

/**
 * Notifies a user's own browsers of a reminder or a failed scheduled message. Sends nothing during
 * quiet hours or while notifications are paused, because the user's list shows the same.
 * @throws RetryLaterError if a push service is unavailable. A retry does not show a notification
 * twice: the topic makes push services and browsers replace the earlier one.
 */
export async function notifySelf(
  deps: PushDeps,
  payload: JobPayloads["push_self"],
  signal: AbortSignal,
  attempt: number,
): Promise<void> {
  const { db } = deps.database;
  const [vapid, reader] = [await deps.vapid(), await readReader(db, payload.userId)];
  if (!vapid || !reader || isQuiet(reader.quiet_hours, new Date())) return;
  const notice = await readNotice(db, payload, reader.preview);
  if (!notice) return;
  const { title, text, path, topic } = notice;
  const encodedPayload = truncateToFit(
    deps.baseUrl,
    (body): PushPayload => ({ type: payload.type, title, body, path, topic }),
    text,
  );
  const options: PushOptions = { ttl: NEWS_SECONDS, urgency: "high", topic };
  const results = await sendToAll(deps, payload.userId, (subscription) =>
    deps.services.send(vapid, subscription, encodedPayload, options, signal),
  );
  const later = results.find((result) => result.type === "later");
  if (later) retryOrDrop("push_self", attempt, later);
}

/** Sends to all browsers of a user at once, at most `MAX_PUSH_SUBSCRIPTIONS`. */
async function sendToAll(
  { database: { db } }: PushDeps,
  userId: string,
  send: (subscription: Subscription) => Promise<PushResult>,
): Promise<PushResult[]> {
  const subscriptions = await readSubscriptions(db, userId);
  const results = await Promise.all(subscriptions.map(send));
  const goneIds = subscriptions.filter((_, i) => results[i]?.type === "gone").map(({ id }) => id);
  await deleteSubscriptions(db, goneIds);
  return results;
}

const TEST_OPTIONS = { ttl: 60, urgency: "high" } as const;

/**
 * Sends a test notification to all browsers of an account. Returns how many push services accepted it;
 * only the browsers can tell whether it was shown.
 * @throws Refusal `push_off`, `rate_limited`
 */
export async function sendTestNotification(
  deps: PushDeps,
  userId: string,
): Promise<{ delivered: number; failed: number }> {
  const vapid = await deps.vapid();
  if (!vapid) throw makePushOffRefusal();
  const limit = { key: `push-test:${userId}`, max: 20, minutes: 10 };
  await countAttempt(deps.database.db, [limit]);
  const payload = buildTestPayload(deps.baseUrl);
  const results = await sendToAll(deps, userId, (subscription) =>
    deps.services.send(vapid, subscription, payload, TEST_OPTIONS),
  );
  const delivered = results.filter(({ type }) => type === "delivered").length;
  return { delivered, failed: results.length - delivered };
}

export function makePushOffRefusal(): Refusal {
  const detail = "Notifications are off on this site. Its operator can turn them on.";
  return new Refusal("push_off", detail);
}

/** Returns null if the account is deactivated or has paused notifications. */
async function readReader(db: Drizzle, userId: string) {
  const [reader] = await db.execute<{ quiet_hours: QuietHours | null; preview: PushPreview }>(sql`
    select quiet_hours, push_preview as preview from users
    where id = ${userId} and is_active
      and (push_paused_until is null or push_paused_until <= clock_timestamp())`);
  return reader ?? null;
}

/** Returns null if the reminder or message is no longer current. */
function readNotice(
  db: Drizzle,
  payload: JobPayloads["push_self"],
  preview: PushPreview,
): Promise<Notice | null> {
  return payload.type === "reminder"
    ? readReminder(db, payload, preview)
    : readFailure(db, payload, preview);
}

async function readReminder(
  db: Drizzle,
  { userId, messageId }: Extract<SelfNotice, { type: "reminder" }> & { userId: string },
  preview: PushPreview,
): Promise<Notice | null> {
  const topic = topicOf(messageId);
  const path = "/later";
  // Since the reminder, its owner may have left the room, rescheduled it, or marked the message as done.
  const [row] = await db.execute<{
    content: string | null;
    note: string | null;
    room: string | null;
  }>(sql`
    select m.content, s.note, r.name as room from saved_messages s
    join messages m on m.id = s.message_id and m.deleted_at is null
    join rooms r on r.id = m.room_id
    join memberships ms on ms.room_id = m.room_id and ms.user_id = s.user_id
    where s.user_id = ${userId} and s.message_id = ${messageId}
      and s.reminded_at is not null and s.done_at is null`);
  if (!row) return null;
  if (preview !== "full") {
    return { title: "Snug", text: "Reminder: a message you saved", path, topic };
  }
  const subject = row.note ?? toPlainText(row.content ?? "");
  const title = row.room ? `#${row.room}` : "Snug";
  const text = subject ? `Reminder: ${subject}` : "Reminder: a message you saved";
  return { title, text, path, topic };
}

async function readFailure(
  db: Drizzle,
  { userId, id }: Extract<SelfNotice, { type: "scheduled_failed" }> & { userId: string },
  preview: PushPreview,
): Promise<Notice | null> {
  const [row] = await db.execute<{ content: string | null }>(sql`
    select content from scheduled_messages
    where id = ${id} and user_id = ${userId} and state = 'failed'`);
  if (!row) return null;
  const excerpt = preview === "full" ? toPlainText(row.content ?? "") : "";
  const text = `A message that you scheduled could not be sent${excerpt ? `: ${excerpt}` : "."}`;
  return { title: "Snug", text, path: "/drafts", topic: topicOf(id) };
}
