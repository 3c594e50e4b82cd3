import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { users } from "./accounts.ts";
import { at, bytes, now, number } from "./columns.ts";
import { messages } from "./messages.ts";
import { rooms } from "./rooms.ts";
import { blobs } from "./uploads.ts";

/** What belongs to a message besides its text. */

/** One row for each emoji that a person put on a message. */
export const messageReactions = pgTable(
  "message_reactions",
  {
    messageId: uuid("message_id")
      .notNull()
      .references(() => messages.id, { onDelete: "cascade" }),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    /** One Unicode emoji sequence (RGI). */
    emoji: text("emoji").notNull(),
    createdAt: now("created_at"),
  },
  (t) => [primaryKey({ columns: [t.messageId, t.userId, t.emoji] })],
);

/** One row for each message that others have reacted to: when the newest of their reactions came. */
export const reactedMessages = pgTable(
  "reacted_messages",
  {
    messageId: uuid("message_id")
      .primaryKey()
      .references(() => messages.id, { onDelete: "cascade" }),
    /** The message's time, for its author's activity. */
    authorId: uuid("author_id").notNull(),
    roomId: uuid("room_id").notNull(),
    reactedAt: at("reacted_at").notNull(),
  },
  (t) => [
    index("reacted_messages_author").on(t.authorId, t.roomId, t.reactedAt),
    index("reacted_messages_newest").on(t.authorId, t.reactedAt, t.messageId),
  ],
);

/**
 * One row for each member that a message names. Room, number and time are the message's: for
 * counting in a room, and for what is newest in all rooms.
 */
export const messageMentions = pgTable(
  "message_mentions",
  {
    messageId: uuid("message_id")
      .notNull()
      .references(() => messages.id, { onDelete: "cascade" }),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
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

/**
 * One row for each member one of whose keywords a message contains. The process that posts the
 * message writes it afterwards; it counts as a mention.
 */
export const keywordHits = pgTable(
  "keyword_hits",
  {
    messageId: uuid("message_id")
      .notNull()
      .references(() => messages.id, { onDelete: "cascade" }),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The message's, as of mentions. */
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

/** One row for a message with `@room` or `@here`, however many people it mentions. */
export const messageBroadcasts = pgTable(
  "message_broadcasts",
  {
    messageId: uuid("message_id")
      .primaryKey()
      .references(() => messages.id, { onDelete: "cascade" }),
    /** The message's, as of mentions. */
    roomId: uuid("room_id").notNull(),
    seq: number("seq").notNull(),
    createdAt: now("created_at"),
    kind: text("kind", { enum: ["room", "here"] }).notNull(),
    /** The members that `@here` found online; null: all members. */
    userIds: uuid("user_ids").array(),
  },
  (t) => [
    index("message_broadcasts_unread").on(t.roomId, t.seq),
    index("message_broadcasts_newest").on(t.createdAt, t.messageId),
    check("message_broadcasts_kind", sql`${t.kind} in ('room', 'here')`),
  ],
);

/** One row for each room that a message names and its author belonged to. */
export const messageRoomReferences = pgTable(
  "message_room_references",
  {
    messageId: uuid("message_id")
      .notNull()
      .references(() => messages.id, { onDelete: "cascade" }),
    roomId: uuid("room_id")
      .notNull()
      .references(() => rooms.id, { onDelete: "cascade" }),
  },
  (t) => [
    primaryKey({ columns: [t.messageId, t.roomId] }),
    index("message_room_references_room").on(t.roomId),
  ],
);

/** Messages that are pinned in their rooms. A pin is a mark: nothing is posted. */
export const messagePins = pgTable(
  "message_pins",
  {
    messageId: uuid("message_id")
      .primaryKey()
      .references(() => messages.id, { onDelete: "cascade" }),
    /** The message's, for the list. */
    roomId: uuid("room_id").notNull(),
    /** Null where an incoming webhook pinned what it posted. */
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

/** The preview found at a URL, for all messages with that URL. A failure is stored too. */
export const linkPreviews = pgTable(
  "link_previews",
  {
    /** SHA-256 of the URL in UTF-8: URLs are longer than an index takes. */
    urlHash: bytes("url_hash").primaryKey(),
    url: text("url").notNull(),
    title: text("title"),
    description: text("description"),
    siteName: text("site_name"),
    isImage: boolean("is_image").notNull().default(false),
    /** The key of the small copy of its picture, which is served from the storage. */
    imageSha256: bytes("image_sha256").references(() => blobs.sha256),
    hasFailed: boolean("has_failed").notNull().default(false),
    fetchedAt: now("fetched_at"),
    expiresAt: at("expires_at").notNull(),
    /** While a process fetches the preview: the end of its lease. */
    claimedUntil: at("claimed_until"),
  },
  (t) => [
    index("link_previews_image")
      .on(t.imageSha256)
      .where(sql`image_sha256 is not null`),
  ],
);
