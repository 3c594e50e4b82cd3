import type { SqlClient } from "../database/connect.ts";

/**
 * Deletes a room's rows a batch at a time. Hand-written SQL: an array of ids is read once, by the index; what
 * drizzle writes for a limited delete, `in (select … limit)`, may be planned as a join with all rows.
 * Each returns how many rows it deleted.
 */

export async function deleteMessagesOfRoom(
  sql: SqlClient,
  roomId: string,
  limit: number,
): Promise<number> {
  const { count } = await sql`
    with batch as materialized (
      select id from messages where room_id = ${roomId} order by seq limit ${limit}
    ), index_rows as (
      delete from message_search where message_id = any(array(select id from batch))
    )
    delete from messages where id = any(array(select id from batch))`;
  return count;
}

/** Deletes the oldest entries of a room's log. @returns how many there were, up to the limit */
export async function deleteLogOfRoom(
  sql: SqlClient,
  roomId: string,
  limit: number,
): Promise<number> {
  const { count } = await sql`
    delete from room_log where room_id = ${roomId} and seq = any(array(
      select seq from room_log where room_id = ${roomId} order by seq limit ${limit}))`;
  return count;
}

/** Deletes deliveries of a room's webhooks. @returns how many there were, up to the limit */
export async function deleteDeliveriesOfRoom(
  sql: SqlClient,
  roomId: string,
  limit: number,
): Promise<number> {
  const { count } = await sql`
    delete from webhook_deliveries where id = any(array(
      select d.id from outgoing_webhooks w join webhook_deliveries d on d.hook_id = w.id
      where w.room_id = ${roomId} limit ${limit}))`;
  return count;
}
