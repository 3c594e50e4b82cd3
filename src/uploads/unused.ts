import { and, eq, gt, lt, notExists, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { Query } from "../database/connect.ts";
import {
  drafts,
  messageFiles,
  messageImages,
  messages,
  scheduledMessages,
} from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
import { DEFAULT_UPLOAD_BYTES } from "../wire/limits.ts";
import { formatSize } from "../wire/files.ts";

/** An hourly job deletes uploads that no message uses after this time. */
const TTL_HOURS = 24;
/** Limits per person: number of unused uploads, and their total size as a multiple of the upload limit. */
const MAX_UNUSED = 200;
const MAX_UNUSED_FILES = 20;
/** Lowering the upload limit must not put people over the limit with uploads that were allowed before. */
const LEAST_UNUSED_BYTES = MAX_UNUSED_FILES * DEFAULT_UPLOAD_BYTES;

const hoursAgo = (hours: number) => sql`clock_timestamp() - ${hours} * interval '1 hour'`;
/** Selects a use of an image: by a message, or by its uploader's draft or scheduled message. */
const imageUse = (db: Query) =>
  unionAll(
    db.select({ id: messages.id }).from(messages).where(eq(messages.imageId, messageImages.id)),
    db
      .select({ id: scheduledMessages.id })
      .from(scheduledMessages)
      .where(
        and(
          eq(scheduledMessages.imageId, messageImages.id),
          eq(scheduledMessages.userId, messageImages.uploaderId),
        ),
      ),
    db
      .select({ id: drafts.userId })
      .from(drafts)
      .where(
        and(eq(drafts.imageId, messageImages.id), eq(drafts.userId, messageImages.uploaderId)),
      ),
  );
const fileUse = (db: Query) =>
  unionAll(
    db.select({ id: messages.id }).from(messages).where(eq(messages.fileId, messageFiles.id)),
    db
      .select({ id: scheduledMessages.id })
      .from(scheduledMessages)
      .where(
        and(
          eq(scheduledMessages.fileId, messageFiles.id),
          eq(scheduledMessages.userId, messageFiles.uploaderId),
        ),
      ),
    db
      .select({ id: drafts.userId })
      .from(drafts)
      .where(and(eq(drafts.fileId, messageFiles.id), eq(drafts.userId, messageFiles.uploaderId))),
  );

const countUnused = (db: Query, params: { userId: string }) => {
  // Older rows are left to the hourly job.
  const since = hoursAgo(TTL_HOURS + 2);
  const sizes = unionAll(
    db
      .select({ bytes: messageImages.sizeBytes })
      .from(messageImages)
      .where(
        and(
          eq(messageImages.uploaderId, params.userId),
          gt(messageImages.createdAt, since),
          notExists(imageUse(db)),
        ),
      ),
    db
      .select({ bytes: messageFiles.sizeBytes })
      .from(messageFiles)
      .where(
        and(
          eq(messageFiles.uploaderId, params.userId),
          gt(messageFiles.createdAt, since),
          notExists(fileUse(db)),
        ),
      ),
  ).as("unused");
  return db
    .select({
      count: sql<number>`count(*)::int`,
      bytes: sql`coalesce(sum(${sizes.bytes}), 0)`.mapWith(Number),
    })
    .from(sizes);
};

/**
 * Checks that a person has few unused uploads, so that nobody can fill the disk with them.
 * @param maxBytes the size limit of one upload
 * @throws Refusal `too_many_uploads`
 */
export async function checkUnusedUploads(
  db: Query,
  userId: string,
  maxBytes: number,
): Promise<void> {
  const [usage] = await countUnused(db, { userId });
  if (!usage) return;
  const byteLimit = Math.max(maxBytes * MAX_UNUSED_FILES, LEAST_UNUSED_BYTES);
  if (usage.count < MAX_UNUSED && usage.bytes < byteLimit) return;
  const amount = `${usage.count} uploads (${formatSize(usage.bytes)}) that no message uses`;
  const detail = `You have ${amount}. Post them, or wait a day until they are deleted.`;
  throw new Refusal("too_many_uploads", detail);
}

/**
 * Deletes uploads older than 24 hours that no message uses. If a message starts to use one at the same
 * moment, the statement fails and the job is retried.
 */
export async function deleteUnusedUploads(db: Query): Promise<void> {
  const since = hoursAgo(TTL_HOURS);
  await db
    .delete(messageImages)
    .where(and(lt(messageImages.createdAt, since), notExists(imageUse(db))));
  await db
    .delete(messageFiles)
    .where(and(lt(messageFiles.createdAt, since), notExists(fileUse(db))));
}
