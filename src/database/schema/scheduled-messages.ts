import { sql } from "drizzle-orm";
import { check, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { ofUser } from "./accounts.ts";
import { at, choice, now } from "./columns.ts";
import { ofRoom } from "./rooms.ts";

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
