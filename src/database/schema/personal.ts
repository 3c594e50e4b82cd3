import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { Section } from "../../wire/sections.ts";
import { ofUser, userKey } from "./accounts.ts";
import { at, bytes, choice, now, number } from "./columns.ts";
import { ofMessage } from "./messages.ts";
import { ofRoom } from "./rooms.ts";
import { sessions } from "./sign-in.ts";

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

/** Messages saved for later, visible only to the user who saved them. */
export const savedMessages = pgTable(
  "saved_messages",
  {
    userId: ofUser(),
    messageId: ofMessage(),
    /** The message's room, to check whether the user can still read it. */
    roomId: uuid("room_id").notNull(),
    savedAt: now("saved_at"),
    note: text("note"),
    remindAt: at("remind_at"),
    remindedAt: at("reminded_at"),
    doneAt: at("done_at"),
    /** When a job found that the user can no longer read the message; null while they can. */
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

/** SQL for the last hexadecimal digit of a room's id, as a number from 0 to 15. */
export const ROOM_SHARD = "get_byte(uuid_send(room_id), 15) & 15";

export const scheduledMessages = pgTable(
  "scheduled_messages",
  {
    /** Also the `client_id` of the posted message, so that it is posted only once. */
    id: uuid("id").primaryKey(),
    userId: ofUser(),
    roomId: ofRoom(),
    threadId: uuid("thread_id"),
    quoteId: uuid("quote_id"),
    content: text("content"),
    imageId: uuid("image_id"),
    imageAlt: text("image_alt"),
    fileId: uuid("file_id"),
    groupId: uuid("group_id"),
    /**
     * The session or token that scheduled the message or last changed it. If it is revoked by its owner
     * or an administrator, the message is blocked. The id of an expired session stays here.
     */
    sessionId: uuid("session_id"),
    tokenId: uuid("token_id"),
    sendAt: at("send_at").notNull(),
    /** The IANA time zone in which the time was chosen, for display and rescheduling. */
    zone: text("zone").notNull(),
    state: choice("state", ["waiting", "sent", "failed"], "waiting"),
    /** The failure reason, a code from `wire/codes.ts`. */
    reason: text("reason"),
    messageId: uuid("message_id"),
    /** When a process started sending the message, which can then no longer be changed. */
    sendingAt: at("sending_at"),
    /** When the message was sent or failed. */
    endedAt: at("ended_at"),
    createdAt: now("created_at"),
  },
  (t) => [
    index("scheduled_messages_list").on(t.userId, t.state, t.sendAt),
    index("scheduled_messages_room").on(t.roomId),
    // Finds the due messages of one shard of the rooms.
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

/** The sections of each user's sidebar, visible only to that user. */

export const sectionLists = pgTable("section_lists", {
  userId: userKey(),
  /** Counts the user's changes; 0 while the sections are the default with which the account started. */
  version: number("version").notNull(),
  /** In the order in which they are shown. */
  sections: jsonb("sections").$type<Omit<Section, "room_ids">[]>().notNull(),
});

/** A row of a user who is not yet a member is a default that applies after joining. */
export const sectionRooms = pgTable(
  "section_rooms",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => sectionLists.userId, { onDelete: "cascade" }),
    /** No foreign key: its lock would deadlock a signup with a deletion of a default room. */
    roomId: uuid("room_id").notNull(),
    sectionId: uuid("section_id").notNull(),
    position: integer("position").notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.roomId] }), index("section_rooms_room").on(t.roomId)],
);

/** The sections with which new accounts start: at most one row. */
export const defaultSections = pgTable(
  "default_sections",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    version: number("version").notNull(),
    sections: jsonb("sections").$type<Section[]>().notNull(),
  },
  (t) => [check("default_sections_is_only", sql`${t.isOnly}`)],
);

/** The key pair that identifies this server to push services (VAPID, RFC 8292): a single row. */
export const pushKeys = pgTable(
  "push_keys",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    /** An uncompressed P-256 point in base64url: the `applicationServerKey` of browsers' subscriptions. */
    publicKey: text("public_key").notNull(),
    /** Encrypted with the secret key. */
    privateKey: bytes("private_key").notNull(),
    createdAt: now("created_at"),
  },
  (t) => [check("push_keys_only", sql`${t.isOnly}`)],
);

/** Browsers that receive notifications. A subscription is deleted with its session. */
export const pushSubscriptions = pgTable(
  "push_subscriptions",
  {
    id: uuid("id").primaryKey(),
    userId: ofUser(),
    sessionId: uuid("session_id")
      .notNull()
      .references(() => sessions.id, { onDelete: "cascade" }),
    /** The push endpoint, which is secret: anyone who knows it can send notifications. */
    endpoint: text("endpoint").notNull(),
    p256dh: text("p256dh").notNull(),
    auth: text("auth").notNull(),
    createdAt: now("created_at"),
  },
  (t) => [
    uniqueIndex("push_subscriptions_endpoint").on(t.endpoint),
    index("push_subscriptions_user").on(t.userId),
    index("push_subscriptions_session").on(t.sessionId),
    check(
      "push_subscriptions_endpoint_form",
      sql`${t.endpoint} ~ '^https://[!-~]+$' and char_length(${t.endpoint}) <= 2008`,
    ),
  ],
);
