import type { SqlClient } from "../database/connect.ts";

/** Hand-written SQL: lateral joins, and a delete in a CTE. */

const KEPT_DAYS = 30;

/** Rooms whose log begins with an entry that is past its age. */
export function findOldLogs(sql: SqlClient): Promise<{ id: string }[]> {
  return sql<{ id: string }[]>`
    select rooms.id from rooms cross join lateral (
      select created_at from room_log where room_id = rooms.id order by seq limit 1
    ) first
    where first.created_at < statement_timestamp() - ${KEPT_DAYS} * interval '1 day'`;
}

/**
 * Deletes entries of more than 30 days ago from a room's log, always from its beginning, since a log
 * with a hole would be read as complete. A client that asks for that part is answered `seq_gone`.
 * Numbers grow with age, so the primary key finds the beginning and posting maintains no other index.
 * @returns the last number that was deleted, or null when the rest is to be kept
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
