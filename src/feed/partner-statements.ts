/*
 * By hand: people have hundreds of conversations, so that each person's come as one text, and every
 * membership is looked up by its index (lateral).
 */
import type { SqlClient } from "../database/connect.ts";
import type { Member } from "../wire/models.ts";

/** In conversations that are silent for longer, who is online is read when one is opened. */
const RECENT_DAYS = 30;

/** The recent conversations of two that these people are in, as `findPartners` takes them. */
export async function readPairs(sql: SqlClient, userIds: string[]): Promise<Map<string, string>> {
  const rows = await sql<{ user_id: string; packed: string }[]>`
    select own.user_id, string_agg(other.user_id || ' ' || own.room_id || ' ' || own.role || ' ' ||
      floor(extract(epoch from own.joined_at) * 1000)::bigint || E'\n', '') as packed
    from memberships own
    join lateral (
      select from rooms where id = own.room_id and direct_kind = 'pair'
        and coalesce(last_message_at, created_at)
          > clock_timestamp() - ${RECENT_DAYS} * interval '1 day' limit 1
    ) r on true
    join lateral (
      select user_id from memberships
      where room_id = own.room_id and user_id <> own.user_id limit 1
    ) other on true
    where own.user_id = any(${userIds}::uuid[]) and own.is_direct
    group by own.user_id`;
  return new Map(rows.map(({ user_id, packed }) => [user_id, packed]));
}

/** A conversation of two. */
export type Pair = { partnerId: string; roomId: string; role: Member["role"]; joinedAt: Date };

const UUID_LENGTH = 36;

/** Those conversations whose partner is here; most are not, and cost next to nothing. */
export function findPartners(packed: string, isHere: (userId: string) => boolean): Pair[] {
  const pairs: Pair[] = [];
  for (let at = 0; at < packed.length;) {
    const end = packed.indexOf("\n", at);
    const partnerId = packed.slice(at, at + UUID_LENGTH);
    if (isHere(partnerId)) {
      const [, roomId = "", role, ms] = packed.slice(at, end).split(" ");
      const joinedAt = new Date(Number(ms));
      pairs.push({ partnerId, roomId, role: role as Member["role"], joinedAt });
    }
    at = end + 1;
  }
  return pairs;
}

export type GroupSeat = { userId: string; roomId: string; role: Member["role"]; joinedAt: Date };

/** The seats of these people in those of these conversations that are groups. */
export function readGroupSeats(
  sql: SqlClient,
  roomIds: string[],
  userIds: string[],
): Promise<GroupSeat[]> {
  if (roomIds.length === 0) return Promise.resolve([]);
  return sql<GroupSeat[]>`
    select m.user_id as "userId", m.room_id as "roomId", m.role, m.joined_at as "joinedAt"
    from unnest(${roomIds}::uuid[]) as open(id)
    join lateral (select from rooms where id = open.id and direct_kind = 'group' limit 1) r on true
    join memberships m on m.room_id = open.id
    join unnest(${userIds}::uuid[]) as changed(id) on changed.id = m.user_id`;
}
