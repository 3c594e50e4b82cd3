import { eq, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Drizzle } from "../../database/connect.ts";
import {
  messageBroadcasts,
  messageMentions,
  messagePins,
  messageReactions,
  messageSearch,
  messages,
  reactedMessages,
  searchRooms,
} from "../../database/schema.ts";

/**
 * Moves a message, and the mentions, reactions and pins that are shown with their own times.
 * @param ago minutes
 */
export async function backdate(db: Drizzle, messageId: string, ago: number): Promise<void> {
  const before = (time: AnyPgColumn, minutes = ago) =>
    sql`${time} - ${minutes} * interval '1 minute'`;
  await db
    .update(messages)
    .set({
      createdAt: before(messages.createdAt),
      editedAt: before(messages.editedAt, ago - 3),
    })
    .where(eq(messages.id, messageId));
  await db
    .update(messageMentions)
    .set({ createdAt: before(messageMentions.createdAt) })
    .where(eq(messageMentions.messageId, messageId));
  await db
    .update(messageBroadcasts)
    .set({ createdAt: before(messageBroadcasts.createdAt) })
    .where(eq(messageBroadcasts.messageId, messageId));
  await db
    .update(messageReactions)
    .set({ createdAt: before(messageReactions.createdAt) })
    .where(eq(messageReactions.messageId, messageId));
  await db
    .update(reactedMessages)
    .set({ reactedAt: before(reactedMessages.reactedAt) })
    .where(eq(reactedMessages.messageId, messageId));
  await db
    .update(messagePins)
    .set({ pinnedAt: before(messagePins.pinnedAt, ago - 1) })
    .where(eq(messagePins.messageId, messageId));
}

/**
 * Replaces the ids of all messages by ids of the messages' times: links to messages, the order of lists,
 * and the days of the search read the time from the id. Foreign keys are checked at the end of the one
 * statement. No service may be running, and the next one builds the search index again.
 */
export async function dateIds(db: Drizzle): Promise<void> {
  await db.execute(sql`
    with moved as materialized (
      select id as old_id, (
        lpad(to_hex((extract(epoch from created_at) * 1000)::bigint), 12, '0')
          || substr(replace(id::text, '-', ''), 13)
      )::uuid as new_id
      from messages
    ), mention as (
      update message_mentions set message_id = new_id from moved where message_id = old_id
    ), broadcast as (
      update message_broadcasts set message_id = new_id from moved where message_id = old_id
    ), reference as (
      update message_room_references set message_id = new_id from moved where message_id = old_id
    ), reaction as (
      update message_reactions set message_id = new_id from moved where message_id = old_id
    ), reacted as (
      update reacted_messages set message_id = new_id from moved where message_id = old_id
    ), pin as (
      update message_pins set message_id = new_id from moved where message_id = old_id
    ), saved as (
      update saved_messages set message_id = new_id from moved where message_id = old_id
    ), keyword as (
      update keyword_hits set message_id = new_id from moved where message_id = old_id
    ), thread as (
      update threads set message_id = new_id from moved where message_id = old_id
    ), follow as (
      update thread_follows set thread_id = new_id from moved where thread_id = old_id
    ), logged as (
      update room_log set message_id = new_id from moved where message_id = old_id
    )
    update messages set id = moved.new_id,
      thread_id = (select new_id from moved where old_id = thread_id),
      quote_id = (select new_id from moved where old_id = quote_id)
    from moved where id = moved.old_id`);
  await db.delete(messageSearch);
  await db.delete(searchRooms);
}
