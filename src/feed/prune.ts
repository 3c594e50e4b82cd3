import type { SqlClient } from "../database/connect.ts";

const KEPT_DAYS = 30;

const BATCH = 5_000;

/**
 * Deletes entries older than 30 days from the rooms' logs, always from the beginning, since a log with a hole would
 * be read as complete. A client that requests the deleted part receives `seq_gone`. The primary key finds the
 * beginning, so posting maintains no other index.
 */
export async function pruneLogs(sql: SqlClient, signal: AbortSignal): Promise<void> {
  const oldLogs = await sql<{ id: string }[]>`
    select rooms.id from rooms cross join lateral (
      select created_at from room_log where room_id = rooms.id order by seq limit 1
    ) first
    where first.created_at < statement_timestamp() - ${KEPT_DAYS} * interval '1 day'`;
  for (const { id } of oldLogs) {
    for (let seq: number | null = 0; seq !== null && !signal.aborted;) {
      seq = await pruneLog(sql, id, seq);
    }
  }
}

/** @returns the last deleted number, or null if no entry is old */
async function pruneLog(sql: SqlClient, roomId: string, after: number): Promise<number | null> {
  const [row] = await sql<{ last: number | null }[]>`
    with beginning as (
      select seq, created_at < statement_timestamp() - ${KEPT_DAYS} * interval '1 day' as is_old
      from room_log where room_id = ${roomId} and seq > ${after} order by seq limit ${BATCH}
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
