/**
 * Hand-written SQL: thousands of sockets ask at once after a restart (`bench/restart.ts`,
 * `bench/storm.ts`), and the sweep compares lists, for which drizzle has no `unnest`. Conversations
 * are left out: people have hundreds, and each is followed while it is open.
 */
import type { SqlClient } from "../database/connect.ts";

/** A room and the last number of its log; one row with nulls for a user who is in no room. */
export type RoomPosition = { room_id: string | null; last_seq: number | null };

/** The rooms that someone is in, without conversations, with the last number of each log. */
export function readRoomsOfUser(sql: SqlClient, userId: string) {
  return sql<RoomPosition[]>`
    select m.room_id, r.last_seq from memberships m join rooms r on r.id = m.room_id
    where m.user_id = ${userId} and not m.is_direct`;
}

/** The rooms of a session's user; no rows if the session has ended or the user is not active. */
export function readRoomsOfSession(sql: SqlClient, sessionId: string) {
  return sql<RoomPosition[]>`
    select m.room_id, r.last_seq from sessions s
    join users u on u.id = s.user_id and u.is_active
    left join memberships m on m.user_id = u.id and not m.is_direct
    left join rooms r on r.id = m.room_id
    where s.id = ${sessionId} and s.expires_at > clock_timestamp() and not s.is_restricted`;
}

/** The rooms of a token's bot; no rows if the token was revoked or has expired. */
export function readRoomsOfToken(sql: SqlClient, tokenId: string) {
  return sql<RoomPosition[]>`
    select m.room_id, r.last_seq from api_tokens t
    join users u on u.id = t.user_id and u.is_active
    left join memberships m on m.user_id = u.id and not m.is_direct
    left join rooms r on r.id = m.room_id
    where t.id = ${tokenId} and t.revoked_at is null
      and (t.expires_at is null or t.expires_at > clock_timestamp())`;
}

/**
 * The rooms of those people who are in more or fewer rooms than this instance knows of.
 * @param isFull of all of these people
 */
export function readDifferingRooms(
  sql: SqlClient,
  people: { id: string; rooms: { size: number } }[],
  isFull: boolean,
) {
  return sql<({ user_id: string } & RoomPosition)[]>`
    select known.user_id, m.room_id, r.last_seq
    from unnest(
      ${people.map((person) => person.id)}::uuid[], ${people.map((person) => person.rooms.size)}::int[]
    ) as known(user_id, room_count)
    left join memberships m on m.user_id = known.user_id and not m.is_direct
    left join rooms r on r.id = m.room_id
    where ${isFull} or known.room_count <>
      (select count(*) from memberships c where c.user_id = known.user_id and not c.is_direct)`;
}
