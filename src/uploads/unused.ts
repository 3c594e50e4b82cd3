import { and, eq, gt, lt, notExists, sql } from "drizzle-orm";
import { type PgTable, unionAll } from "drizzle-orm/pg-core";
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
/** Each table of uploads, with the column by which other tables refer to it. */
const IMAGES = { table: messageImages, column: "imageId" } as const;
const FILES = { table: messageFiles, column: "fileId" } as const;
type Uploads = typeof IMAGES | typeof FILES;

/** Selects the uses of an upload: by a message, or by its uploader's draft or scheduled message. */
const usesOf = (db: Query, { table, column }: Uploads) =>
  unionAll(
    db.select({ id: messages.id }).from(messages).where(eq(messages[column], table.id)),
    db
      .select({ id: scheduledMessages.id })
      .from(scheduledMessages)
      .where(
        and(
          eq(scheduledMessages[column], table.id),
          eq(scheduledMessages.userId, table.uploaderId),
        ),
      ),
    db
      .select({ id: drafts.userId })
      .from(drafts)
      .where(and(eq(drafts[column], table.id), eq(drafts.userId, table.uploaderId))),
  );

/** Selects the sizes of a person's unused uploads. Older rows are left to the hourly job. */
const unusedSizes = (db: Query, userId: string, uploads: Uploads) =>
  db
    .select({ bytes: sql<number>`${uploads.table.sizeBytes}`.as("bytes") })
    .from(uploads.table as PgTable)
    .where(
      and(
        eq(uploads.table.uploaderId, userId),
        gt(uploads.table.createdAt, hoursAgo(TTL_HOURS + 2)),
        notExists(usesOf(db, uploads)),
      ),
    );

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
  const sizes = unionAll(unusedSizes(db, userId, IMAGES), unusedSizes(db, userId, FILES)).as(
    "unused",
  );
  const [usage] = await db
    .select({
      count: sql<number>`count(*)::int`,
      bytes: sql`coalesce(sum(${sizes.bytes}), 0)`.mapWith(Number),
    })
    .from(sizes);
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
    .where(and(lt(messageImages.createdAt, since), notExists(usesOf(db, IMAGES))));
  await db
    .delete(messageFiles)
    .where(and(lt(messageFiles.createdAt, since), notExists(usesOf(db, FILES))));
}
