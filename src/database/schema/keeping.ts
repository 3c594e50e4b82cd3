import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { users } from "./accounts.ts";
import { at, now } from "./columns.ts";
import { messages } from "./messages.ts";
import { rooms } from "./rooms.ts";

/** Saved messages, scheduled messages and drafts. */

/** Messages that people have saved for later. Only their owner sees them. */
export const savedMessages = pgTable(
  "saved_messages",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    messageId: uuid("message_id")
      .notNull()
      .references(() => messages.id, { onDelete: "cascade" }),
    /** The message's room, for what its owner can read now. */
    roomId: uuid("room_id").notNull(),
    savedAt: now("saved_at"),
    note: text("note"),
    remindAt: at("remind_at"),
    /** When the reminder was sent. */
    remindedAt: at("reminded_at"),
    doneAt: at("done_at"),
    /** Since when a job has found it unreadable for its owner; null while it can be read. */
    hiddenSince: at("hidden_since"),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.messageId] }),
    index("saved_messages_list").on(t.userId, t.doneAt, t.savedAt.desc().nullsFirst()),
    index("saved_messages_message").on(t.messageId),
    index("saved_messages_due")
      .on(t.remindAt)
      .where(sql`remind_at is not null and reminded_at is null`),
    check("saved_messages_note", sql`char_length(${t.note}) between 1 and 500`),
  ],
);

/** SQL: the last digit of a room's id, 0 to 15. */
export const ROOM_SHARD = "get_byte(uuid_send(room_id), 15) & 15";

/** Messages that their authors have written and that are to be posted later. */
export const scheduledMessages = pgTable(
  "scheduled_messages",
  {
    /** Also the `client_id` of the message, so that it is posted once. */
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    roomId: uuid("room_id")
      .notNull()
      .references(() => rooms.id, { onDelete: "cascade" }),
    threadId: uuid("thread_id"),
    quoteId: uuid("quote_id"),
    content: text("content"),
    imageId: uuid("image_id"),
    imageAlt: text("image_alt"),
    fileId: uuid("file_id"),
    groupId: uuid("group_id"),
    /**
     * The session or token that scheduled or last changed it. When it is ended by its owner or an
     * administrator, the message is blocked. Sessions that have expired keep their id here.
     */
    sessionId: uuid("session_id"),
    tokenId: uuid("token_id"),
    sendAt: at("send_at").notNull(),
    /** The IANA name of the zone in which the time was chosen, to show it and to plan again. */
    zone: text("zone").notNull(),
    state: text("state", { enum: ["waiting", "sent", "failed"] })
      .notNull()
      .default("waiting"),
    /** Why it failed: a code of `wire/codes.ts`. */
    reason: text("reason"),
    messageId: uuid("message_id"),
    /** Since when a process has been sending it: it can no longer be changed. */
    sendingAt: at("sending_at"),
    /** When it was sent or has failed. */
    endedAt: at("ended_at"),
    createdAt: now("created_at"),
  },
  (t) => [
    index("scheduled_messages_list").on(t.userId, t.state, t.sendAt),
    index("scheduled_messages_room").on(t.roomId),
    // What is due of a shard of the rooms: those whose ids end in one digit.
    index("scheduled_messages_shard")
      .on(sql.raw(`(${ROOM_SHARD})`), t.sendAt, t.id)
      .where(sql`state = 'waiting'`),
    index("scheduled_messages_image")
      .on(t.imageId)
      .where(sql`image_id is not null`),
    index("scheduled_messages_file")
      .on(t.fileId)
      .where(sql`file_id is not null`),
    check("scheduled_messages_state", sql`${t.state} in ('waiting', 'sent', 'failed')`),
    check("scheduled_messages_reason", sql`(${t.state} = 'failed') = (${t.reason} is not null)`),
    check("scheduled_messages_ended", sql`(${t.state} = 'waiting') = (${t.endedAt} is null)`),
    check("scheduled_messages_content", sql`char_length(${t.content}) between 1 and 8000`),
    check(
      "scheduled_messages_not_empty",
      sql`num_nonnulls(${t.content}, ${t.imageId}, ${t.fileId}) > 0`,
    ),
  ],
);

/** Means "in no thread" in a key, since keys hold no null. */
export const NO_THREAD = "00000000-0000-0000-0000-000000000000";

/**
 * Drafts, shared by all devices of their author. A row without text, upload and quote is a
 * tombstone: it keeps a device that was offline from bringing the draft back.
 */
export const drafts = pgTable(
  "drafts",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    roomId: uuid("room_id")
      .notNull()
      .references(() => rooms.id, { onDelete: "cascade" }),
    threadId: uuid("thread_id").notNull().default(NO_THREAD),
    content: text("content"),
    quoteId: uuid("quote_id"),
    imageId: uuid("image_id"),
    fileId: uuid("file_id"),
    /** The `client_id` that the message will have: posting it clears the draft. */
    clientId: uuid("client_id"),
    /** Counts changes. */
    version: integer("version").notNull(),
    /** The name of the device that wrote it. */
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
