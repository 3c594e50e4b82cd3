/*
 * By hand: people have hundreds of conversations, so that each person's come as one text, and every
 * membership is looked up by its index (lateral).
 */
import type { SqlClient } from "../database/connect.ts";
import { splitPackedRows } from "../database/packed-rows.ts";
import type { Member } from "../wire/models.ts";

/** In conversations that are silent for longer, who is online is read when one is opened. */
const RECENT_DAYS = 30;

/** A conversation that someone is in; `partnerId` is null where there are not exactly two people. */
export type Partnership = {
  roomId: string;
  role: Member["role"];
  joinedAt: Date;
  partnerId: string | null;
};

/** The recent conversations of each of these people, who may be in none. */
export async function readPartnerships(
  sql: SqlClient,
  userIds: string[],
): Promise<Map<string, () => Partnership[]>> {
  const rows = await sql<{ user_id: string; packed: string }[]>`
    select own.user_id, string_agg(concat_ws(' ', own.room_id, own.role,
      floor(extract(epoch from own.joined_at) * 1000)::bigint, other.user_id), E'\n') as packed
    from memberships own
    join lateral (
      select direct_kind from rooms where id = own.room_id
        and coalesce(last_message_at, created_at)
          > clock_timestamp() - ${RECENT_DAYS} * interval '1 day' limit 1
    ) r on true
    left join lateral (
      select user_id from memberships
      where r.direct_kind = 'pair' and room_id = own.room_id and user_id <> own.user_id limit 1
    ) other on true
    where own.user_id = any(${userIds}::uuid[]) and own.is_direct
    group by own.user_id`;
  return new Map(rows.map(({ user_id, packed }) => [user_id, () => unpack(packed)]));
}

function unpack(packed: string): Partnership[] {
  return splitPackedRows(packed).map(([roomId = "", role, ms, partnerId = null]) => ({
    ...{ roomId, role: role as Member["role"], joinedAt: new Date(Number(ms)), partnerId },
  }));
}
