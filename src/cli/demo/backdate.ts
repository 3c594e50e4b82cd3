import { type Column, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
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
  const move = (table: PgTable, key: Column, time: Column, minutes = ago) =>
    db.execute(sql`update ${table}
      set ${sql.identifier(time.name)} = ${time} - ${minutes} * interval '1 minute'
      where ${key} = ${messageId}`);
  await move(messages, messages.id, messages.createdAt);
  await move(messages, messages.id, messages.editedAt, ago - 3);
  await move(messageMentions, messageMentions.messageId, messageMentions.createdAt);
  await move(messageBroadcasts, messageBroadcasts.messageId, messageBroadcasts.createdAt);
  await move(messageReactions, messageReactions.messageId, messageReactions.createdAt);
  await move(reactedMessages, reactedMessages.messageId, reactedMessages.reactedAt);
  await move(messagePins, messagePins.messageId, messagePins.pinnedAt, ago - 1);
}

/** Columns of other tables that contain the id of a message. */
const USES = [
  ["message_mentions", "message_id"],
  ["message_broadcasts", "message_id"],
  ["message_room_references", "message_id"],
  ["message_reactions", "message_id"],
  ["reacted_messages", "message_id"],
  ["message_pins", "message_id"],
  ["saved_messages", "message_id"],
  ["keyword_hits", "message_id"],
  ["threads", "message_id"],
  ["thread_follows", "thread_id"],
  ["room_log", "message_id"],
];

/**
 * Replaces the ids of all messages by ids of the messages' times: links to messages, the order of lists,
 * and the days of the search read the time from the id. Foreign keys are checked at the end of the one
 * statement. No service may be running, and the next one builds the search index again.
 */
export async function dateIds(db: Drizzle): Promise<void> {
  const updates = USES.map(
    ([table, column]) =>
      `${table}_moved as (update ${table} set ${column} = new_id from moved where ${column} = old_id)`,
  );
  await db.execute(sql`
    with moved as materialized (
      select id as old_id, (
        lpad(to_hex((extract(epoch from created_at) * 1000)::bigint), 12, '0')
          || substr(replace(id::text, '-', ''), 13)
      )::uuid as new_id
      from messages
    ), ${sql.raw(updates.join(", "))}
    update messages set id = moved.new_id,
      thread_id = (select new_id from moved where old_id = thread_id),
      quote_id = (select new_id from moved where old_id = quote_id)
    from moved where id = moved.old_id`);
  await db.delete(messageSearch);
  await db.delete(searchRooms);
}
