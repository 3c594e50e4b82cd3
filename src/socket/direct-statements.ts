/*
 * Hand-written SQL: conversations whose logs have grown are looked up many at a time (unnest,
 * lateral), without the members of rooms, of which there may be thousands.
 */
import type { SqlClient } from "../database/connect.ts";
import type { RoomEventType } from "../wire/events.ts";

/** How far back a lost hint is looked for. */
const RECENT_SECONDS = 30;

/** The members of those of these ids that are conversations. */
export async function readDirectMembers(
  sql: SqlClient,
  roomIds: string[],
): Promise<{ room_id: string; user_ids: string[] }[]> {
  if (roomIds.length === 0) return [];
  return sql<{ room_id: string; user_ids: string[] }[]>`
    select r.id as room_id, array(
      select user_id from memberships where room_id = r.id
    ) as user_ids
    from rooms r where r.id = any(${roomIds}::uuid[]) and r.kind = 'direct'`;
}

/**
 * An entry of a conversation's log. `message_id` is null unless it is about a message, `author_id` also if
 * that was deleted, and `created_at` unless the message is new.
 */
export type DirectLogRow = {
  room_id: string;
  seq: number;
  type: RoomEventType;
  message_id: string | null;
  author_id: string | null;
  created_at: Date | null;
};

/**
 * Entries of conversations' logs, each one's oldest first, up to a limit for each.
 * @param spans the conversations, each with the number after which entries are read; null: recent
 * entries
 */
export function readDirectLogs(
  sql: SqlClient,
  spans: { roomId: string; after: number | null }[],
  limit: number,
) {
  return sql<DirectLogRow[]>`
    select l.room_id, l.seq, l.type, l.message_id, m.author_id,
      case when l.type = 'message' then l.created_at end as created_at
    from unnest(
      ${spans.map((span) => span.roomId)}::uuid[], ${spans.map((span) => span.after)}::bigint[]
    ) as span(room_id, after)
    cross join lateral (
      (
        select * from room_log where room_id = span.room_id and seq > span.after
        order by seq limit ${limit}
      ) union all (
        select * from (
          select * from room_log where room_id = span.room_id and span.after is null
          order by seq desc limit ${limit}
        ) newest
        where created_at > clock_timestamp() - ${RECENT_SECONDS} * interval '1 second'
      )
    ) l
    left join lateral (select author_id from messages where id = l.message_id limit 1) m on true
    order by l.room_id, l.seq`;
}

/**
 * Conversations with messages of the last seconds, each with the number of its last one: a range of the
 * messages' primary key, since an index on the rooms' times would make each message cost more.
 */
export function readRecentDirects(sql: SqlClient) {
  const since = Math.floor(Date.now() - RECENT_SECONDS * 1_000);
  const hex = since.toString(16).padStart(12, "0");
  const first = `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
  return sql<{ room_id: string; seq: number }[]>`
    with recent as materialized (
      select room_id, max(seq) as seq from messages where id > ${first} group by room_id
    )
    select recent.room_id, recent.seq from recent
    join rooms on rooms.id = recent.room_id and rooms.kind = 'direct'`;
}
