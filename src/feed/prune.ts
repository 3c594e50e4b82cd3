import type { SqlClient } from "../database/connect.ts";

const KEPT_DAYS = 30;

/** Finds rooms whose log begins with an entry that is too old. */
export function findOldLogs(sql: SqlClient): Promise<{ id: string }[]> {
  return sql<{ id: string }[]>`
    select rooms.id from rooms cross join lateral (
      select created_at from room_log where room_id = rooms.id order by seq limit 1
    ) first
    where first.created_at < statement_timestamp() - ${KEPT_DAYS} * interval '1 day'`;
}

/**
 * Deletes entries older than 30 days from a room's log, always from its beginning, since a log with a hole would
 * be read as complete. A client that requests the deleted part receives `seq_gone`. The primary key finds the
 * beginning, so posting maintains no other index.
 * @returns the last deleted number, or null if no entry is old
 */
export async function pruneLog(
  sql: SqlClient,
  roomId: string,
  after: number,
  limit: number,
): Promise<number | null> {
  const [row] = await sql<{ last: number | null }[]>`
    with beginning as (
      select seq, created_at < statement_timestamp() - ${KEPT_DAYS} * interval '1 day' as is_old
      from room_log where room_id = ${roomId} and seq > ${after} order by seq limit ${limit}
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
