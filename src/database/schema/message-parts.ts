import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { users } from "./accounts.ts";
import { at, bytes, now, number } from "./columns.ts";
import { messages } from "./messages.ts";
import { rooms } from "./rooms.ts";
import { blobs } from "./uploads.ts";

/** Data attached to messages. */

/** One row per person and emoji on a message. */
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

/** One row per message with reactions by others, with the time of the newest. */
export const reactedMessages = pgTable(
  "reacted_messages",
  {
    messageId: uuid("message_id")
      .primaryKey()
      .references(() => messages.id, { onDelete: "cascade" }),
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

/**
 * One row per mentioned member. Room, number and time are copied from the message, for counting per
 * room and for listing the newest across rooms.
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
 * One row per member whose keyword occurs in a message; counts as a mention. Written after the message
 * is posted, by the process that posted it.
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
    messageId: uuid("message_id")
      .primaryKey()
      .references(() => messages.id, { onDelete: "cascade" }),
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

/** Pinned messages. Pinning posts no message. */
export const messagePins = pgTable(
  "message_pins",
  {
    messageId: uuid("message_id")
      .primaryKey()
      .references(() => messages.id, { onDelete: "cascade" }),
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
