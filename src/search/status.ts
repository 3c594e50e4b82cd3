import type { SqlClient } from "../database/connect.ts";
import { Refusal } from "../platform/refusal.ts";
import { TOKENS_VERSION } from "./tokens.ts";

/** The state of the index. */
export type SearchStatus = {
  rooms: number;
  /** Rooms whose older messages are still being indexed. */
  incomplete_rooms: number;
  /** Entries of the rooms' logs that are not indexed yet. */
  lag: number;
  /** Messages in the index, counted unless there are a million, and its size on disk in bytes. */
  messages: number;
  is_estimate: boolean;
  size_bytes: number;
};

/** How far the index has come, and how large it is in bytes. */
export function readSearchStatus(sql: SqlClient): Promise<SearchStatus> {
  return countUnindexed(sql);
}

/**
 * Has the messages of one room, or of all, indexed again by the running service.
 * @returns how many rooms
 * @throws Refusal `room_not_found`
 */
export async function requestReindex(sql: SqlClient, roomName: string | null): Promise<number> {
  const count = await reindexRooms(sql, roomName);
  if (count === 0 && roomName !== null) {
    throw new Refusal("room_not_found", `There is no room ${roomName}.`);
  }
  return count;
}

/** From this many on, messages in the index are estimated. */
const ESTIMATED_FROM = 1_000_000;

/** Counts rooms, those that are not whole, and what is not indexed. */
export async function countUnindexed(sql: SqlClient) {
  const [row] = await sql<
    {
      rooms: number;
      incomplete_rooms: number;
      lag: number;
      messages: number;
      is_estimate: boolean;
      size_bytes: number;
    }[]
  >`
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
  return (
    row ?? { rooms: 0, incomplete_rooms: 0, lag: 0, messages: 0, is_estimate: false, size_bytes: 0 }
  );
}

/** How many entries of the rooms' logs are not indexed yet. */
export async function readSearchLag(sql: SqlClient): Promise<number> {
  const [row] = await sql<{ lag: number }[]>`
    select coalesce(sum(r.last_seq - coalesce(s.after_seq, 0)), 0)::bigint as lag
    from rooms r left join search_rooms s on s.room_id = r.id where r.deleted_at is null`;
  return row?.lag ?? 0;
}

/** Begins to index one room, or all, from the newest message backward; returns how many rooms. */
export async function reindexRooms(sql: SqlClient, roomName: string | null): Promise<number> {
  const { count } = await sql`
    insert into search_rooms (room_id, after_seq, back_seq, version)
    select id, last_seq, last_seq + 1, ${TOKENS_VERSION}::int from rooms
    where deleted_at is null and (${roomName}::text is null or name = ${roomName})
    on conflict (room_id) do update set back_seq = search_rooms.after_seq + 1`;
  return count;
}
