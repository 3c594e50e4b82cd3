import { and, eq, sql } from "drizzle-orm";
import type { Drizzle, Transaction } from "../database/connect.ts";
import { savedMessages } from "../database/schema.ts";
import { notifyInstances } from "../feed/signals.ts";
import { cancelJob, enqueueJob } from "../jobs-queue/enqueue.ts";
import type { JobPayloads } from "../jobs-queue/kinds.ts";

/** Each reminder has one job; a new time moves that job. */
const keyOf = ({ userId, messageId }: { userId: string; messageId: string }) =>
  `remind:${userId}:${messageId}`;

/** Queues the job of a reminder, or moves it to another time. */
export async function setReminder(
  tx: Transaction,
  userId: string,
  messageId: string,
  at: Date,
): Promise<void> {
  const payload = { userId, messageId };
  await enqueueJob(tx, { kind: "remind", payload, key: keyOf(payload), at }, "replace");
}

export async function cancelReminder(
  tx: Transaction,
  userId: string,
  messageId: string,
): Promise<void> {
  await cancelJob(tx, keyOf({ userId, messageId }));
}

/**
 * Sends a due reminder once, if its owner is active and can read the message. If the owner is not in
 * the room, the reminder is shown as due in their list once they are back.
 */
export async function sendReminder(
  db: Drizzle,
  { userId, messageId }: JobPayloads["remind"],
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await takeReminder(tx, userId, messageId))) return;
    await enqueueJob(tx, { kind: "push_self", payload: { userId, type: "reminder", messageId } });
    await notifySavedMessages(tx, userId, messageId);
  });
}

async function takeReminder(tx: Transaction, userId: string, messageId: string): Promise<boolean> {
  const rows = await tx.execute(sql`
    update saved_messages s set reminded_at = clock_timestamp()
    where user_id = ${userId} and message_id = ${messageId} and remind_at <= clock_timestamp()
      and reminded_at is null and done_at is null and exists (
        select from messages m
        join memberships ms on ms.room_id = m.room_id and ms.user_id = s.user_id
        join users u on u.id = s.user_id and u.is_active
        where m.id = s.message_id and m.deleted_at is null
      )
    returning message_id`);
  return rows.length > 0;
}

export const isAt = (userId: string, messageId: string) =>
  and(eq(savedMessages.userId, userId), eq(savedMessages.messageId, messageId));

/** Notifies the owner's own sockets when the transaction commits. */
export async function notifySavedMessages(
  tx: Transaction,
  userId: string,
  messageId: string,
): Promise<void> {
  await notifyInstances(tx, { kind: "saved_changed", user_id: userId, message_id: messageId });
}
