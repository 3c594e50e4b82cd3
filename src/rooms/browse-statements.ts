/*
 * Hand-written SQL: as in `read-statements.ts`, a list is read as its rows' versions.
 */
import type { SqlClient } from "../database/connect.ts";
import type { PackedRows } from "../database/packed-rows.ts";
import type { BrowseQuery } from "../wire/queries.ts";
import { type RoomHead, toHeads } from "./read-statements.ts";

export type RoomSort = NonNullable<BrowseQuery["sort"]>;

/**
 * A text by which rooms are in their order, and each has its own: the largest number is the smallest text.
 * Names have no slash.
 */
const PLACES: Record<RoomSort, string> = {
  name: "name",
  members: `lpad((2147483647 - member_count)::text, 10, '0') || '/' || name collate "C"`,
  activity: `lpad((9999999999999 - coalesce(floor(extract(epoch from last_message_at) * 1000), 0)
    )::bigint::text, 13, '0') || '/' || name collate "C"`,
};

/**
 * Open rooms that are not archived, for one who may be in some of them.
 * @param after the place of the last room before them
 * @returns rooms whose `name` is their place
 */
export async function readOpenHeads(
  sql: SqlClient,
  userId: string,
  {
    after,
    limit,
    pattern,
    sort,
  }: { after: string; limit: number; pattern: string; sort: RoomSort },
): Promise<RoomHead[]> {
  const place = sql.unsafe(PLACES[sort]);
  return toHeads(
    await sql<PackedRows[]>`
      select string_agg(concat_ws(' ', r.id, r.place, r.xmin, coalesce(m.xmin::text, '-'),
        (select version from people_version)), E'\n' order by r.place) as packed
      from (
        select id, ${place} as place, xmin from rooms
        where privacy = 'open' and not is_archived and deleted_at is null and ${place} > ${after}
          and case when ${pattern} = '%%' then true else name ilike ${pattern} end
        order by ${place} limit ${limit}
      ) r
      left join lateral (
        select xmin from memberships where room_id = r.id and user_id = ${userId} limit 1
      ) m on true`,
  );
}
