import type { SqlClient } from "../database/connect.ts";

/**
 * The number of the first message of a room at or after a time; null if all are older.
 *
 * Times grow with the room's numbers, since both are given under its lock. So the number is found by
 * halving: each step is one look into the index of room and number, twenty for a million messages, and
 * posting pays for no index on times. Where a clock was set back, a neighbour may be found instead.
 * @param lastSeq the last number of the room's log
 */
export async function seqAt(
  sql: SqlClient,
  roomId: string,
  at: Date,
  lastSeq: number,
): Promise<number | null> {
  const [row] = await sql<{ seq: number }[]>`
    with recursive halved(low, high) as (
      select 1::bigint, ${lastSeq}::bigint + 1
      union all
      select case when probe.is_before then probe.seq + 1 else low end,
        case when probe.is_before then high else (low + high) / 2 end
      from halved left join lateral (
        select m.seq, m.created_at < ${at} as is_before from messages m
        where m.room_id = ${roomId} and m.seq >= (halved.low + halved.high) / 2
        order by m.seq limit 1
      ) probe on true
      where low < high
    )
    select m.seq from messages m
    where m.room_id = ${roomId} and m.seq >= (select low from halved where low >= high)
    order by m.seq limit 1`;
  return row?.seq ?? null;
}
