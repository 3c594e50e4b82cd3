import type { SqlClient } from "../database/connect.ts";
import { Refusal } from "../platform/refusal.ts";
import { TOKENS_VERSION } from "./tokens.ts";

export type SearchStatus = {
  rooms: number;
  /** Rooms whose older messages are still being indexed. */
  incomplete_rooms: number;
  lag: number;
  /** Number of indexed messages (an estimate from a million on), and the index's size on disk in bytes. */
  messages: number;
  is_estimate: boolean;
  size_bytes: number;
};

/** From this number on, the count of indexed messages is an estimate. */
const ESTIMATED_FROM = 1_000_000;

export async function readSearchStatus(sql: SqlClient): Promise<SearchStatus> {
  const [row] = await sql<[SearchStatus]>`
    select count(*)::int as rooms,
      count(*) filter (
        where r.last_seq > 0 and (s.room_id is null or s.back_seq > 0
          or s.version < ${TOKENS_VERSION}::int)
      )::int as incomplete_rooms,
      coalesce(sum(r.last_seq - coalesce(s.after_seq, 0)), 0)::bigint as lag,
      (select case when reltuples >= ${ESTIMATED_FROM} then reltuples::bigint
        else (select count(*) from message_search) end
        from pg_class where oid = 'message_search'::regclass) as messages,
      (select reltuples >= ${ESTIMATED_FROM} from pg_class
        where oid = 'message_search'::regclass) as is_estimate,
      pg_total_relation_size('message_search') as size_bytes
    from rooms r left join search_rooms s on s.room_id = r.id where r.deleted_at is null`;
  return row;
}

export async function readSearchLag(sql: SqlClient): Promise<number> {
  const [row] = await sql<{ lag: number }[]>`
    select coalesce(sum(r.last_seq - coalesce(s.after_seq, 0)), 0)::bigint as lag
    from rooms r left join search_rooms s on s.room_id = r.id where r.deleted_at is null`;
  return row?.lag ?? 0;
}

/**
 * Requests the running service to reindex one room or all rooms, backward from the newest message.
 * @returns the number of rooms
 * @throws Refusal `room_not_found`
 */
export async function requestReindex(sql: SqlClient, roomName: string | null): Promise<number> {
  const { count } = await sql`
    insert into search_rooms (room_id, after_seq, back_seq, version)
    select id, last_seq, last_seq + 1, ${TOKENS_VERSION}::int from rooms
    where deleted_at is null and (${roomName}::text is null or name = ${roomName})
    for key share
    on conflict (room_id) do update set back_seq = search_rooms.after_seq + 1`;
  if (count === 0 && roomName !== null) {
    throw new Refusal("room_not_found", `There is no room named ${roomName}.`);
  }
  return count;
}
