import type { SqlClient } from "../../database/connect.ts";

/**
 * By hand: a lateral join, and limited deletes by an array of ids, which is read once and by an index.
 * Ids grow with age, so the primary key finds the oldest deliveries.
 */

const KEPT_DAYS = 30;
/** Of each webhook's finished deliveries, about this many are kept. */
const KEPT_ROWS = 10_000;

/** @returns how many deliveries of more than 30 days ago it deleted */
export async function deleteOldDeliveries(sql: SqlClient, limit: number): Promise<number> {
  const { count } = await sql`
    delete from webhook_deliveries
    where id = any(array(select id from webhook_deliveries order by id limit ${limit}))
      and created_at < statement_timestamp() - ${KEPT_DAYS} * interval '1 day'`;
  return count;
}

/** The newest delivery to delete, of each webhook with more deliveries than are kept. */
export function findSurplusDeliveries(sql: SqlClient): Promise<{ hook_id: string; id: string }[]> {
  return sql<{ hook_id: string; id: string }[]>`
    select w.id as hook_id, d.id from outgoing_webhooks w cross join lateral (
      select id from webhook_deliveries where hook_id = w.id
      order by id desc offset ${KEPT_ROWS} limit 1
    ) d`;
}

/** @returns how many it deleted, up to this id; pending deliveries stay */
export async function pruneDeliveriesUpTo(
  sql: SqlClient,
  webhookId: string,
  id: string,
  limit: number,
): Promise<number> {
  const { count } = await sql`
    delete from webhook_deliveries where id = any(array(
      select id from webhook_deliveries
      where hook_id = ${webhookId} and id <= ${id} and state <> 'pending'
      order by id limit ${limit}
    ))`;
  return count;
}
