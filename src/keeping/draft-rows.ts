import { and, count, desc, eq, not, sql } from "drizzle-orm";
import type { Transaction } from "../database/connect.ts";
import { drafts, messages, NO_THREAD } from "../database/schema.ts";
import { notifyInstances } from "../feed/signals.ts";
import { Refusal } from "../platform/refusal.ts";
import { MAX_CLEARED_DRAFTS, MAX_DRAFTS } from "../wire/limits.ts";

/** Identifies a draft; `threadId` is null outside threads. */
export type DraftPlace = { userId: string; roomId: string; threadId: string | null };

type Stored = typeof drafts.$inferSelect;

export type Parts = Pick<Stored, "content" | "quoteId" | "imageId" | "fileId">;

export const NOTHING: Parts = { content: null, quoteId: null, imageId: null, fileId: null };

/** SQL: whether a row is a draft, not a tombstone. */
const IS_LIVE = sql`num_nonnulls(${drafts.content}, ${drafts.quoteId}, ${drafts.imageId},
  ${drafts.fileId}) > 0`;

export const isAt = ({ userId, roomId, threadId }: DraftPlace) =>
  and(
    eq(drafts.userId, userId),
    eq(drafts.roomId, roomId),
    eq(drafts.threadId, threadId ?? NO_THREAD),
  );

export function isLive(parts: Parts | undefined): boolean {
  if (!parts) return false;
  return [parts.content, parts.quoteId, parts.imageId, parts.fileId].some((one) => one !== null);
}

export function isSame(known: Parts | undefined, wanted: Parts): boolean {
  const { content, quoteId, imageId, fileId } = known ?? NOTHING;
  return (
    content === wanted.content &&
    quoteId === wanted.quoteId &&
    imageId === wanted.imageId &&
    fileId === wanted.fileId
  );
}

/** Whether a message was posted with this `client_id`, before the draft of it was saved. */
export async function wasPosted(
  tx: Transaction,
  userId: string,
  clientId: string | null | undefined,
) {
  if (!clientId) return false;
  const found = await tx
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.authorId, userId), eq(messages.clientId, clientId)));
  return found.length > 0;
}

/** @throws Refusal `too_many_drafts` */
export async function refuseTooMany(tx: Transaction, userId: string): Promise<void> {
  const [row] = await tx
    .select({ live: count() })
    .from(drafts)
    .where(and(eq(drafts.userId, userId), IS_LIVE));
  if ((row?.live ?? 0) < MAX_DRAFTS) return;
  const detail = `You have ${MAX_DRAFTS} drafts. Send or clear some; this device keeps this one.`;
  throw new Refusal("too_many_drafts", detail);
}

/** Deletes the oldest tombstones, so that their number is limited. */
export async function forgetCleared(tx: Transaction, userId: string): Promise<void> {
  const cleared = tx
    .select({ roomId: drafts.roomId, threadId: drafts.threadId })
    .from(drafts)
    .where(and(eq(drafts.userId, userId), not(IS_LIVE)))
    .orderBy(desc(drafts.updatedAt))
    .offset(MAX_CLEARED_DRAFTS);
  await tx
    .delete(drafts)
    .where(
      and(eq(drafts.userId, userId), sql`(${drafts.roomId}, ${drafts.threadId}) in ${cleared}`),
    );
}

export async function writeDraft(
  tx: Transaction,
  { userId, roomId, threadId }: DraftPlace,
  values: Parts & Pick<Stored, "clientId" | "device" | "version">,
): Promise<void> {
  const changed = { ...values, updatedAt: sql`clock_timestamp()` };
  await tx
    .insert(drafts)
    .values({ userId, roomId, threadId: threadId ?? NO_THREAD, ...changed })
    .onConflictDoUpdate({
      target: [drafts.userId, drafts.roomId, drafts.threadId],
      set: changed,
    });
  const signal = { kind: "draft_changed", user_id: userId, room_id: roomId } as const;
  await notifyInstances(tx, { ...signal, thread_id: threadId });
}
