import type { SqlClient } from "../src/database/connect.ts";
import type { Handling } from "../src/jobs-queue/kinds.ts";

const KEPT_DAYS = 30;
/** Of each webhook's deliveries that have ended, about so many are kept at most. */
const KEPT_ROWS = 10_000;
const ROWS_AT_ONCE = 1_000;

/**
 * Deletes webhooks' deliveries of more than 30 days ago, and of a busy webhook all but the newest,
 * some rows at a time, so that no statement lasts long. Ids grow with age: the oldest are found by
 * the primary key, and a webhook's by its index.
 */
export function pruneDeliveries(sql: SqlClient): Handling<"prune_deliveries"> {
  return {
    // It may go on where it was cut off.
    timeoutSeconds: 3_600,
    async run(_, { signal }) {
      while (!signal.aborted && (await pruneOld(sql)) === ROWS_AT_ONCE);
      for (const { hook_id, id } of await findCuts(sql)) {
        while (!signal.aborted && (await pruneUpTo(sql, hook_id, id)) === ROWS_AT_ONCE);
      }
    },
  };
}

/** @returns how many it deleted */
async function pruneOld(sql: SqlClient): Promise<number> {
  const { count } = await sql`
    delete from webhook_deliveries
    where id = any(array(select id from webhook_deliveries order by id limit ${ROWS_AT_ONCE}))
      and created_at < statement_timestamp() - ${KEPT_DAYS} * interval '1 day'`;
  return count;
}

/** The newest delivery that is one too many, of each webhook that has too many. */
function findCuts(sql: SqlClient) {
  return sql<{ hook_id: string; id: string }[]>`
    select h.id as hook_id, d.id from outgoing_webhooks h cross join lateral (
      select id from webhook_deliveries where hook_id = h.id
      order by id desc offset ${KEPT_ROWS} limit 1
    ) d`;
}

/** @returns how many it deleted; what is still to be sent stays */
async function pruneUpTo(sql: SqlClient, hookId: string, id: string): Promise<number> {
  const { count } = await sql`
    delete from webhook_deliveries where id = any(array(
      select id from webhook_deliveries
      where hook_id = ${hookId} and id <= ${id} and state <> 'pending'
      order by id limit ${ROWS_AT_ONCE}
    ))`;
  return count;
}
