import type { HandSql } from "../src/database/connect.ts";
import type { Handler } from "../src/jobs-queue/kinds.ts";

const KEPT_DAYS = 30;
const ROWS_AT_ONCE = 5_000;

/**
 * Deletes what the rooms' logs hold past 30 days, some rows at a time, so that no lock is held
 * long. Whoever asks for that part then hears `seq_gone`.
 */
export function pruneLog(sql: HandSql): Handler<"prune_log"> {
  return async (_, { signal }) => {
    for (let deleted = ROWS_AT_ONCE; deleted === ROWS_AT_ONCE && !signal.aborted;) {
      const rows = await sql`
        delete from room_log where (room_id, seq) in (
          select room_id, seq from room_log
          where created_at < clock_timestamp() - ${KEPT_DAYS} * interval '1 day'
          limit ${ROWS_AT_ONCE}
        )`;
      deleted = rows.count;
    }
  };
}
