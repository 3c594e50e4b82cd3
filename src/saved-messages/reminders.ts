import { and, eq, exists, isNull, lte, sql } from "drizzle-orm";
import type { Drizzle, Transaction } from "../database/connect.ts";
import { memberships, messages, savedMessages, users } from "../database/schema.ts";
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
    await notifySaved(tx, userId, messageId);
  });
}

async function takeReminder(tx: Transaction, userId: string, messageId: string): Promise<boolean> {
  const now = sql`clock_timestamp()`;
  const canRead = tx
    .select({ id: messages.id })
    .from(messages)
    .innerJoin(
      memberships,
      and(eq(memberships.roomId, messages.roomId), eq(memberships.userId, userId)),
    )
    .innerJoin(users, and(eq(users.id, userId), users.isActive))
    .where(and(eq(messages.id, messageId), isNull(messages.deletedAt)));
  const claimedRows = await tx
    .update(savedMessages)
    .set({ remindedAt: now })
    .where(
      and(
        isAt(userId, messageId),
        lte(savedMessages.remindAt, now),
        isNull(savedMessages.remindedAt),
        isNull(savedMessages.doneAt),
        exists(canRead),
      ),
    )
    .returning({ messageId: savedMessages.messageId });
  return claimedRows.length > 0;
}

export const isAt = (userId: string, messageId: string) =>
  and(eq(savedMessages.userId, userId), eq(savedMessages.messageId, messageId));

/** Notifies the owner's own sockets when the transaction commits. */
export async function notifySaved(
  tx: Transaction,
  userId: string,
  messageId: string,
): Promise<void> {
  await notifyInstances(tx, { kind: "saved_changed", user_id: userId, message_id: messageId });
}
