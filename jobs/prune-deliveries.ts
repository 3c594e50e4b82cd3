import type { HandSql } from "../src/database/connect.ts";
import type { Handling } from "../src/jobs-queue/kinds.ts";

const KEPT_DAYS = 30;
const ROWS_AT_ONCE = 1_000;

/**
 * Deletes webhooks' deliveries of more than 30 days ago, some rows at a time, so that no statement
 * lasts long. Ids grow with age: the oldest are found by the primary key.
 */
export function pruneDeliveries(sql: HandSql): Handling<"prune_deliveries"> {
  return {
    // It may go on where it was cut off.
    timeoutSeconds: 3_600,
    async run(_, { signal }) {
      while (!signal.aborted && (await pruneSome(sql)) === ROWS_AT_ONCE);
    },
  };
}

/** @returns how many it deleted */
async function pruneSome(sql: HandSql): Promise<number> {
  const { count } = await sql`
    delete from webhook_deliveries
    where id = any(array(select id from webhook_deliveries order by id limit ${ROWS_AT_ONCE}))
      and created_at < statement_timestamp() - ${KEPT_DAYS} * interval '1 day'`;
  return count;
}
