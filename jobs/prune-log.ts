import type { SqlClient } from "../src/database/connect.ts";
import type { Handling } from "../src/jobs-queue/kinds.ts";

const KEPT_DAYS = 30;
const ROWS_AT_ONCE = 5_000;

/**
 * Deletes what the rooms' logs hold past 30 days. Whoever asks for that part hears `seq_gone`.
 *
 * Always from a log's beginning, because a log with a hole in it would be read as whole, and some
 * rows at a time, so that no statement lasts long. In a room numbers grow with age: the beginning is
 * found by the primary key, and nothing that posts has another index to keep.
 */
export function pruneLog(sql: SqlClient): Handling<"prune_log"> {
  return {
    // The first one on a table of many millions takes a while; it may go on where it was cut off.
    timeoutSeconds: 3_600,
    async run(_, { signal }) {
      for (const { id } of await oldLogs(sql)) {
        for (let seq: number | null = 0; seq !== null && !signal.aborted;) {
          seq = await pruneRoom(sql, id, seq);
        }
      }
    },
  };
}

/** Rooms whose log begins with something old. */
function oldLogs(sql: SqlClient) {
  return sql<{ id: string }[]>`
    select rooms.id from rooms cross join lateral (
      select created_at from room_log where room_id = rooms.id order by seq limit 1
    ) first
    where first.created_at < statement_timestamp() - ${KEPT_DAYS} * interval '1 day'`;
}

/** @returns the last number that it deleted, or null when what is left is to be kept */
async function pruneRoom(sql: SqlClient, roomId: string, after: number): Promise<number | null> {
  const [row] = await sql<{ last: number | null }[]>`
    with beginning as (
      select seq, created_at < statement_timestamp() - ${KEPT_DAYS} * interval '1 day' as is_old
      from room_log where room_id = ${roomId} and seq > ${after} order by seq limit ${ROWS_AT_ONCE}
    ), cut as (
      select max(seq) as last from beginning
      where seq < coalesce((select min(seq) from beginning where not is_old), 'infinity'::float8)
    ), deleted as (
      delete from room_log using cut
      where room_id = ${roomId} and seq > ${after} and seq <= cut.last
    )
    select last from cut`;
  return row?.last ?? null;
}
