import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { at, bytes, now, number } from "./columns.ts";
import { messageFiles, messageImages } from "./uploads.ts";

/** Messages and their threads. */

/** SQL: who wrote a message; the same id for all that came by a webhook, which is nobody's own. */
export const MESSAGE_WRITER =
  "(case when via_name is null then author_id else '00000000-0000-0000-0000-000000000000'::uuid end)";

export const messages = pgTable(
  "messages",
  {
    id: uuid("id").primaryKey(),
    /**
     * No foreign keys on room and author, which each message would pay for: the statement that writes
     * it reads both, and holds the room's lock. Triggers delete a room's messages with it, and keep
     * the account of an author.
     */
    roomId: uuid("room_id").notNull(),
    /** Its place in the room's log, and so in its history: ties are not possible. */
    seq: number("seq").notNull(),
    authorId: uuid("author_id").notNull(),
    /** Markdown, as written. */
    content: text("content"),
    imageId: uuid("image_id").references(() => messageImages.id),
    fileId: uuid("file_id").references(() => messageFiles.id),
    /** What the image shows, in words. */
    imageAlt: text("image_alt"),
    /** The author's own id of what was sent in one go: clients show its pictures as one gallery. */
    groupId: uuid("group_id"),
    /**
     * The root of the thread that it is a reply in, and what it quotes: messages of the same room. No
     * foreign keys, which each message would pay for: both are checked under the room's lock.
     */
    threadId: uuid("thread_id"),
    quoteId: uuid("quote_id"),
    /** The first http or https URL of the text. */
    previewUrl: text("preview_url"),
    /**
     * Whether anything in another table belongs to it (image, file, reaction, mention, reference,
     * preview, thread, quote), so that reading plain messages looks nowhere else.
     */
    hasEmbeds: boolean("has_embeds").notNull().default(false),
    /** For a post of an incoming webhook: the name and emoji that it shows instead of a person's. */
    viaName: text("via_name"),
    viaIconEmoji: text("via_icon_emoji"),
    /** The author's own id for it: a repeated post finds the first. */
    clientId: uuid("client_id"),
    createdAt: now("created_at"),
    editedAt: at("edited_at"),
    /** When the root of a thread was deleted: the row stays for its replies, without its content. */
    deletedAt: at("deleted_at"),
  },
  (t) => [
    index("messages_thread")
      .on(t.threadId, t.seq)
      .where(sql`thread_id is not null`),
    uniqueIndex("messages_room_seq").on(t.roomId, t.seq),
    // Finds who has written in a room, one after the other, and the newest of each: `rooms/unread.ts`.
    index("messages_room_writer").on(t.roomId, sql.raw(MESSAGE_WRITER), t.seq),
    uniqueIndex("messages_client_id")
      .on(t.authorId, t.clientId)
      .where(sql`client_id is not null`),
    uniqueIndex("messages_image")
      .on(t.imageId)
      .where(sql`image_id is not null`),
    uniqueIndex("messages_file")
      .on(t.fileId)
      .where(sql`file_id is not null`),
    // Finds whether any message still has a URL. A hash, because URLs are longer than a B-tree
    // takes.
    index("messages_preview_url")
      .using("hash", t.previewUrl)
      .where(sql`preview_url is not null`),
    check("messages_content_length", sql`char_length(${t.content}) between 1 and 8000`),
    check("messages_via", sql`${t.viaName} is not null or ${t.viaIconEmoji} is null`),
    check(
      "messages_not_empty",
      sql`${t.deletedAt} is not null or num_nonnulls(${t.content}, ${t.imageId}, ${t.fileId}) > 0`,
    ),
    check("messages_thread_other", sql`${t.threadId} <> ${t.id}`),
  ],
);

/** One row for each message with replies, its root. Written under the room's lock, with the replies. */
export const threads = pgTable(
  "threads",
  {
    messageId: uuid("message_id")
      .primaryKey()
      .references(() => messages.id, { onDelete: "cascade" }),
    roomId: uuid("room_id").notNull(),
    title: text("title"),
    replyCount: integer("reply_count").notNull(),
    /** The newest reply that exists. */
    lastReplySeq: number("last_reply_seq").notNull(),
    lastReplyAt: at("last_reply_at").notNull(),
    /** Who replied last, at most five, the newest first; webhooks are left out. */
    lastAuthorIds: uuid("last_author_ids").array().notNull(),
    /** Marked done; the next reply opens it. */
    resolvedAt: at("resolved_at"),
    resolvedBy: uuid("resolved_by"),
  },
  (t) => [
    // Without the number, which each reply changes: so a reply updates no index.
    index("threads_room").on(t.roomId),
    check("threads_title", sql`char_length(${t.title}) between 1 and 120`),
    check("threads_reply_count", sql`${t.replyCount} > 0`),
    check("threads_authors", sql`cardinality(${t.lastAuthorIds}) <= 5`),
  ],
);

/** Who follows a thread, or did, and how far it is read. Deleted with the membership of its room. */
export const threadFollows = pgTable(
  "thread_follows",
  {
    userId: uuid("user_id").notNull(),
    threadId: uuid("thread_id")
      .notNull()
      .references(() => threads.messageId, { onDelete: "cascade" }),
    roomId: uuid("room_id").notNull(),
    isFollowing: boolean("is_following").notNull().default(true),
    readSeq: number("read_seq").notNull(),
    /** The last reply of the user's own that the mark has seen, which orders the two. */
    repliedSeq: number("replied_seq").notNull().default(0),
    createdAt: now("created_at"),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.threadId] }),
    // Finds whom to push to, and the rows to delete with a thread. It includes the user because
    // many may follow one thread.
    index("thread_follows_thread").on(t.threadId, t.userId),
  ],
);

/**
 * Keys of requests that post (`Idempotency-Key`), for a day: a request that is repeated with its key
 * posts with the same `client_id`.
 */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    /** The account or incoming webhook that sent the key. */
    senderId: uuid("sender_id").notNull(),
    /** SHA-256. */
    keyHash: bytes("key_hash").notNull(),
    /** SHA-256 of the room and what was posted. */
    bodyHash: bytes("body_hash").notNull(),
    clientId: uuid("client_id").notNull(),
    /** Null until it is posted. The message may have been deleted since. */
    messageId: uuid("message_id"),
    createdAt: now("created_at"),
  },
  (t) => [
    primaryKey({ columns: [t.senderId, t.keyHash] }),
    index("idempotency_keys_created").on(t.createdAt),
  ],
);
