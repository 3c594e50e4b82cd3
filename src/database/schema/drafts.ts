import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { ofUser } from "./accounts.ts";
import { now } from "./columns.ts";
import { ofRoom } from "./rooms.ts";

/** Stands for "not in a thread" in primary keys, which cannot contain nulls. */
export const NO_THREAD = "00000000-0000-0000-0000-000000000000";

/**
 * Drafts, synchronized across their author's devices. A row without text, uploads and quote is a
 * tombstone: it prevents a device that was offline from restoring the draft.
 */
export const drafts = pgTable(
  "drafts",
  {
    userId: ofUser(),
    roomId: ofRoom(),
    threadId: uuid("thread_id").notNull().default(NO_THREAD),
    content: text("content"),
    quoteId: uuid("quote_id"),
    imageId: uuid("image_id"),
    fileId: uuid("file_id"),
    /** The `client_id` of the message to be posted: posting it clears the draft. */
    clientId: uuid("client_id"),
    /** Incremented by every change. */
    version: integer("version").notNull(),
    /** The name of the device that last wrote the draft. */
    device: text("device"),
    updatedAt: now("updated_at"),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.roomId, t.threadId] }),
    index("drafts_updated").on(t.updatedAt),
    index("drafts_room").on(t.roomId),
    index("drafts_image")
      .on(t.imageId)
      .where(sql`image_id is not null`),
    index("drafts_file")
      .on(t.fileId)
      .where(sql`file_id is not null`),
    check("drafts_content", sql`char_length(${t.content}) <= 8000`),
    check("drafts_device", sql`char_length(${t.device}) <= 40`),
  ],
);
