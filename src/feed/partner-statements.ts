/*
 * Hand-written SQL: people have hundreds of conversations, so that each person's come as one text,
 * and every membership is looked up by its index (lateral).
 */
import type { Fragment, SqlClient } from "../database/connect.ts";
import type { Member } from "../wire/models.ts";

/** In a conversation without messages for this long, who is online is read when it is opened. */
const RECENT_DAYS = 30;

/** The recent conversations that each of these people is in, as `findPartners` takes them. */
export async function readConversations(
  sql: SqlClient,
  userIds: string[],
): Promise<Map<string, string>> {
  const rows = await sql<{ user_id: string; packed: string }[]>`
    select own.user_id, string_agg(own.role || ' ' ||
      floor(extract(epoch from own.joined_at) * 1000)::bigint || ' ' || own.room_id || ' ' ||
      others.ids || E'\n', '') as packed
    from memberships own
    join lateral (
      select from rooms where id = own.room_id and direct_kind <> 'self'
        and ${isRecent(sql)} limit 1
    ) r on true
    join lateral (
      select string_agg(user_id::text, ' ') as ids from memberships
      where room_id = own.room_id and user_id <> own.user_id
    ) others on true
    where own.user_id = any(${userIds}::uuid[]) and own.is_direct
    group by own.user_id`;
  return new Map(rows.map(({ user_id, packed }) => [user_id, packed]));
}

/** A conversation, and its other members who have a socket here. */
export type Conversation = Omit<DirectSeat, "userId"> & { partnerIds: string[] };

const UUID_LENGTH = 36;

/**
 * Finds the conversations whose other members have a socket here; most have none, and cost next to
 * nothing.
 */
export function findPartners(packed: string, isHere: (userId: string) => boolean): Conversation[] {
  const found: Conversation[] = [];
  for (let at = 0; at < packed.length;) {
    const end = packed.indexOf("\n", at);
    const idsAt = packed.indexOf(" ", packed.indexOf(" ", at) + 1) + 1;
    const partnerIds: string[] = [];
    for (let id = idsAt + UUID_LENGTH + 1; id < end; id += UUID_LENGTH + 1) {
      const partnerId = packed.slice(id, id + UUID_LENGTH);
      if (isHere(partnerId)) partnerIds.push(partnerId);
    }
    if (partnerIds.length > 0) {
      const [role, ms] = packed.slice(at, idsAt).split(" ");
      const roomId = packed.slice(idsAt, idsAt + UUID_LENGTH);
      const joinedAt = new Date(Number(ms));
      found.push({ roomId, role: role as Member["role"], joinedAt, partnerIds });
    }
    at = end + 1;
  }
  return found;
}

export type DirectSeat = { userId: string; roomId: string; role: Member["role"]; joinedAt: Date };

/** The seats of these people in those of these conversations that are not recent. */
export function readSilentSeats(
  sql: SqlClient,
  roomIds: string[],
  userIds: string[],
): Promise<DirectSeat[]> {
  if (roomIds.length === 0) return Promise.resolve([]);
  return sql<DirectSeat[]>`
    select m.user_id as "userId", m.room_id as "roomId", m.role, m.joined_at as "joinedAt"
    from unnest(${roomIds}::uuid[]) as open(id)
    join lateral (
      select from rooms where id = open.id and direct_kind <> 'self'
        and not ${isRecent(sql)} limit 1
    ) r on true
    join memberships m on m.room_id = open.id
    join unnest(${userIds}::uuid[]) as changed(id) on changed.id = m.user_id`;
}

function isRecent(sql: SqlClient): Fragment {
  return sql`(coalesce(last_message_at, created_at)
    > clock_timestamp() - ${RECENT_DAYS} * interval '1 day')`;
}
