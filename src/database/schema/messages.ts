import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { byUser, ofUser, users } from "./accounts.ts";
import { at, bytes, now, number, tsvector } from "./columns.ts";
import { ofRoom, rooms } from "./rooms.ts";
import { blobs, messageFiles, messageImages } from "./uploads.ts";

/** SQL for a message's author; all messages from webhooks share one id, because they have no author. */
export const MESSAGE_WRITER =
  "(case when via_name is null then author_id else '00000000-0000-0000-0000-000000000000'::uuid end)";

export const messages = pgTable(
  "messages",
  {
    id: uuid("id").primaryKey(),
    /**
     * No foreign keys on room and author, which would slow down every insert: the inserting statement
     * reads both and holds the room's lock. Triggers delete a room's messages with it, and prevent the
     * deletion of an author's account.
     */
    roomId: uuid("room_id").notNull(),
    /** The message's unique number in the room's log, which defines its position in the history. */
    seq: number("seq").notNull(),
    authorId: uuid("author_id").notNull(),
    /** Markdown source. */
    content: text("content"),
    imageId: uuid("image_id").references(() => messageImages.id),
    fileId: uuid("file_id").references(() => messageFiles.id),
    imageAlt: text("image_alt"),
    /** A client-generated id for images that were sent together; clients show them as a gallery. */
    groupId: uuid("group_id"),
    /**
     * The root of the thread that the message replies in, and the message it quotes, both in the same
     * room. No foreign keys, which would slow down every insert: both are checked under the room's
     * lock.
     */
    threadId: uuid("thread_id"),
    quoteId: uuid("quote_id"),
    /** The first http or https URL of the content. */
    previewUrl: text("preview_url"),
    /**
     * Whether another table has rows for this message (image, file, reaction, mention, reference,
     * preview, thread, quote), so that plain messages can be read from this table alone.
     */
    hasEmbeds: boolean("has_embeds").notNull().default(false),
    /** For a message from an incoming webhook: the name and emoji shown instead of a person's. */
    viaName: text("via_name"),
    viaIconEmoji: text("via_icon_emoji"),
    /** The author's own id for the message: posting again with the same id returns the first message. */
    clientId: uuid("client_id"),
    createdAt: now("created_at"),
    editedAt: at("edited_at"),
    /** When the root of a thread was deleted. The row remains for its replies, without content. */
    deletedAt: at("deleted_at"),
  },
  (t) => [
    index("messages_thread")
      .on(t.threadId, t.seq)
      .where(sql`thread_id is not null`),
    uniqueIndex("messages_room_seq").on(t.roomId, t.seq),
    // Finds the authors in a room one by one, with the newest message of each (`rooms/unread.ts`).
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
    // Finds whether any message still has a URL. Hashed, because URLs can exceed an entry's size limit.
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

/** A column for the message of a row; the row is deleted with the message. */
export const ofMessage = () =>
  uuid("message_id")
    .notNull()
    .references(() => messages.id, { onDelete: "cascade" });

/** A primary key for a table with one row per message. */
const messageKey = () =>
  uuid("message_id")
    .primaryKey()
    .references(() => messages.id, { onDelete: "cascade" });

/** One row per root with replies, written together with the replies, under the room's lock. */
export const threads = pgTable(
  "threads",
  {
    messageId: messageKey(),
    roomId: uuid("room_id").notNull(),
    title: text("title"),
    replyCount: integer("reply_count").notNull(),
    /** The newest reply that has not been deleted. */
    lastReplySeq: number("last_reply_seq").notNull(),
    lastReplyAt: at("last_reply_at").notNull(),
    /** The authors of the latest replies, at most five, the most recent first; without webhooks. */
    lastAuthorIds: uuid("last_author_ids").array().notNull(),
    /** When the thread was marked as resolved; the next reply reopens it. */
    resolvedAt: at("resolved_at"),
    resolvedBy: uuid("resolved_by"),
  },
  (t) => [
    // Does not include the last reply's number, so that a reply updates no index.
    index("threads_room").on(t.roomId),
    check("threads_title", sql`char_length(${t.title}) between 1 and 120`),
    check("threads_reply_count", sql`${t.replyCount} > 0`),
    check("threads_authors", sql`cardinality(${t.lastAuthorIds}) <= 5`),
  ],
);

/** People who follow or followed a thread, with their read marks. Deleted with the membership. */
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
    /** The user's last own reply that the read mark includes, which tells clients which of the two is newer. */
    repliedSeq: number("replied_seq").notNull().default(0),
    createdAt: now("created_at"),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.threadId] }),
    // Finds the recipients of pushes, and the rows to delete with a thread.
    index("thread_follows_thread").on(t.threadId, t.userId),
  ],
);

/** `Idempotency-Key` headers of the last day: a repeated request posts nothing new. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    /** The account or incoming webhook that sent the key. */
    senderId: uuid("sender_id").notNull(),
    /** SHA-256. */
    keyHash: bytes("key_hash").notNull(),
    /** SHA-256 of the room and the request body. */
    bodyHash: bytes("body_hash").notNull(),
    clientId: uuid("client_id").notNull(),
    /** Null until the message is posted. The message may have been deleted since. */
    messageId: uuid("message_id"),
    createdAt: now("created_at"),
  },
  (t) => [
    primaryKey({ columns: [t.senderId, t.keyHash] }),
    index("idempotency_keys_created").on(t.createdAt),
  ],
);

/** One row per person and emoji on a message. */
export const messageReactions = pgTable(
  "message_reactions",
  {
    messageId: ofMessage(),
    userId: byUser("user_id"),
    /** One Unicode emoji sequence (RGI). */
    emoji: text("emoji").notNull(),
    createdAt: now("created_at"),
  },
  (t) => [primaryKey({ columns: [t.messageId, t.userId, t.emoji] })],
);

/** One row per message with reactions by others, with the time of the newest. */
export const reactedMessages = pgTable(
  "reacted_messages",
  {
    messageId: messageKey(),
    /** Copied from the message, for the list of its author's activity. */
    authorId: uuid("author_id").notNull(),
    roomId: uuid("room_id").notNull(),
    reactedAt: at("reacted_at").notNull(),
  },
  (t) => [
    index("reacted_messages_author").on(t.authorId, t.roomId, t.reactedAt),
    index("reacted_messages_newest").on(t.authorId, t.reactedAt, t.messageId),
  ],
);

/** Room, number and time are copied, to count per room and to list across rooms. */
export const messageMentions = pgTable(
  "message_mentions",
  {
    messageId: ofMessage(),
    userId: byUser("user_id"),
    roomId: uuid("room_id").notNull(),
    seq: number("seq").notNull(),
    createdAt: now("created_at"),
  },
  (t) => [
    primaryKey({ columns: [t.messageId, t.userId] }),
    index("message_mentions_unread").on(t.userId, t.roomId, t.seq),
    index("message_mentions_newest").on(t.userId, t.createdAt, t.messageId),
  ],
);

/** Members whose keyword is in a message. Counts as a mention; written after the post. */
export const keywordHits = pgTable(
  "keyword_hits",
  {
    messageId: ofMessage(),
    userId: ofUser(),
    /** Copied from the message. */
    roomId: uuid("room_id").notNull(),
    seq: number("seq").notNull(),
    createdAt: now("created_at"),
  },
  (t) => [
    primaryKey({ columns: [t.messageId, t.userId] }),
    index("keyword_hits_unread").on(t.userId, t.roomId, t.seq),
    index("keyword_hits_newest").on(t.userId, t.createdAt, t.messageId),
  ],
);

/** One row per message with `@room` or `@here`, regardless of the number of people it mentions. */
export const messageBroadcasts = pgTable(
  "message_broadcasts",
  {
    messageId: messageKey(),
    /** Copied from the message. */
    roomId: uuid("room_id").notNull(),
    seq: number("seq").notNull(),
    createdAt: now("created_at"),
    kind: text("kind", { enum: ["room", "here"] }).notNull(),
    /** The members who were online, for `@here`; null for all members. */
    userIds: uuid("user_ids").array(),
  },
  (t) => [
    index("message_broadcasts_unread").on(t.roomId, t.seq),
    index("message_broadcasts_newest").on(t.createdAt, t.messageId),
    check("message_broadcasts_kind", sql`${t.kind} in ('room', 'here')`),
  ],
);

/** One row per room that a message references and its author was a member of. */
export const messageRoomReferences = pgTable(
  "message_room_references",
  {
    messageId: ofMessage(),
    roomId: ofRoom(),
  },
  (t) => [
    primaryKey({ columns: [t.messageId, t.roomId] }),
    index("message_room_references_room").on(t.roomId),
  ],
);

/** Pinned messages. Pinning posts no message. */
export const messagePins = pgTable(
  "message_pins",
  {
    messageId: messageKey(),
    /** Copied from the message, for the list of pins. */
    roomId: uuid("room_id").notNull(),
    /** Null if the message was pinned by its incoming webhook. */
    pinnedBy: uuid("pinned_by").references(() => users.id),
    pinnedAt: now("pinned_at"),
  },
  (t) => [
    index("message_pins_room").on(
      t.roomId,
      t.pinnedAt.desc().nullsFirst(),
      t.messageId.desc().nullsFirst(),
    ),
  ],
);

/** One row per URL, shared by all messages with that URL. Failures are stored as well. */
export const linkPreviews = pgTable(
  "link_previews",
  {
    /** SHA-256 of the URL in UTF-8, because URLs can exceed the size limit of an index entry. */
    urlHash: bytes("url_hash").primaryKey(),
    url: text("url").notNull(),
    title: text("title"),
    description: text("description"),
    siteName: text("site_name"),
    isImage: boolean("is_image").notNull().default(false),
    /** The storage key of the picture's thumbnail. */
    imageSha256: bytes("image_sha256").references(() => blobs.sha256),
    hasFailed: boolean("has_failed").notNull().default(false),
    fetchedAt: now("fetched_at"),
    expiresAt: at("expires_at").notNull(),
    /** The end of the lease of the process that is fetching the preview. */
    claimedUntil: at("claimed_until"),
  },
  (t) => [
    index("link_previews_image")
      .on(t.imageSha256)
      .where(sql`image_sha256 is not null`),
  ],
);

/** Updated asynchronously, so rows can be outdated: each result is checked. */
export const messageSearch = pgTable(
  "message_search",
  {
    /** No foreign key: it would lock the message's row. UUIDv7, so the newest message has the greatest id. */
    messageId: uuid("message_id").primaryKey(),
    roomId: uuid("room_id").notNull(),
    authorNumber: integer("author_number").notNull(),
    /** Words and filter tokens (`search/tokens.ts`). */
    words: tsvector("words").notNull(),
  },
  // No index on rooms or times: the planner would scan it and read far too many rows.
  (t) => [
    index("message_search_words")
      .using("gin", t.words)
      .with({ fastupdate: true, gin_pending_list_limit: 1_024 }),
  ],
);

/** How far each room's messages have been indexed. */
export const searchRooms = pgTable("search_rooms", {
  roomId: uuid("room_id")
    .primaryKey()
    .references(() => rooms.id, { onDelete: "cascade" }),
  /** The log number up to which the room's changes are indexed. */
  afterSeq: number("after_seq").notNull(),
  /** Messages from this number on are indexed; older ones are still to be indexed. 0 once all are. */
  backSeq: number("back_seq").notNull(),
  /** The tokenizer's version. A room with an older version is indexed again. */
  version: smallint("version").notNull(),
});
