/*
 * Hand-written SQL: seats are checked for every frame, history page and file (`bench/storm.ts`),
 * many with one statement (unnest and lateral); a read mark moves, is counted and is announced in
 * one (a CTE that writes, and pg_notify).
 */
import type { SqlClient } from "../database/connect.ts";
import { notifyInStatement } from "../feed/statements.ts";
import type { Privacy, ReadMark, Role, RoomKind } from "../wire/models.ts";
import { MENTION_COUNT, UNREAD, UNREAD_COUNT } from "./unread.ts";

export type SeatKey = { userId: string; roomId: string };
export type SeatRow = {
  /** Null where there is no such room. */
  kind: RoomKind | null;
  privacy: Privacy | null;
  last_seq: number;
  is_archived: boolean;
  is_closed: boolean;
  member_count: number;
  members_version: number;
  /** Null where the user is not in the room. */
  role: Role | null;
  people_version: number;
};

/** @returns a row for each seat, in their order */
export async function readSeats(sql: SqlClient, seats: SeatKey[]): Promise<SeatRow[]> {
  return sql<SeatRow[]>`
    select r.kind, r.privacy, r.last_seq, r.is_archived, r.is_closed, r.member_count,
      r.members_version, m.role,
      (select version from people_version) as people_version
    from unnest(
      ${seats.map((seat) => seat.userId)}::uuid[], ${seats.map((seat) => seat.roomId)}::uuid[]
    ) with ordinality as asked(user_id, room_id, n)
    left join lateral (
      select kind, privacy, last_seq, is_archived, is_closed, member_count, members_version from rooms
      where id = asked.room_id limit 1
    ) r on true
    left join lateral (
      select role from memberships
      where room_id = asked.room_id and user_id = asked.user_id limit 1
    ) m on true
    order by asked.n`;
}

/**
 * SQL: the read mark of each row of `marked` (memberships that were changed), as the event `read`
 * has it.
 */
export const markColumns = (sql: SqlClient) => sql`json_strip_nulls(json_build_object(
  'last_read_at', to_char(last_read_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'last_read_seq', last_read_seq, 'unread', ${sql.unsafe(UNREAD)},
  'mention_count', ${sql.unsafe(MENTION_COUNT)}, 'version', version,
  'unread_count', case when room.kind = 'direct' then ${sql.unsafe(UNREAD_COUNT)} end,
  'room_seq', room.last_seq
)) as mark from marked as memberships
cross join lateral (
  select kind, last_seq from rooms where id = memberships.room_id limit 1
) room`;

/**
 * Moves a member's read mark forward, to a message or to the room's last number.
 * @returns null where the room has no such message
 */
export async function moveReadMark(
  sql: SqlClient,
  userId: string,
  roomId: string,
  messageId: string | null,
): Promise<ReadMark | null> {
  const fields = sql`'user_id', ${userId}::text, 'room_id', ${roomId}::text, 'mark', mark`;
  const [row] = await sql<{ mark: ReadMark }[]>`
    with mark as (
      select seq, created_at as at from messages
      where id = ${messageId}::uuid and room_id = ${roomId}
      union all
      select last_seq, clock_timestamp() from rooms
      where id = ${roomId} and ${messageId}::uuid is null
    ), marked as (
      update memberships set
        last_read_at = greatest(last_read_at, mark.at),
        last_read_seq = greatest(last_read_seq, mark.seq)
      from mark where room_id = ${roomId} and user_id = ${userId}
      returning room_id, user_id, last_read_at, last_read_seq, version
    ), read as (
      select ${markColumns(sql)}
    )
    select mark, ${notifyInStatement(sql, "read", fields)} from read`;
  return row?.mark ?? null;
}

/**
 * Moves a member's read mark back to just before a message.
 * @returns null where the room has no such message
 */
export async function moveReadMarkBack(
  sql: SqlClient,
  userId: string,
  roomId: string,
  messageId: string,
): Promise<ReadMark | null> {
  const fields = sql`'user_id', ${userId}::text, 'room_id', ${roomId}::text, 'mark', mark`;
  const [row] = await sql<{ mark: ReadMark }[]>`
    with mark as (
      select seq - 1 as seq, created_at - interval '1 millisecond' as at from messages
      where id = ${messageId}::uuid and room_id = ${roomId}
    ), marked as (
      update memberships set
        last_read_at = least(last_read_at, mark.at), last_read_seq = least(last_read_seq, mark.seq)
      from mark where room_id = ${roomId} and user_id = ${userId}
      returning room_id, user_id, last_read_at, last_read_seq, version
    ), read as (
      select ${markColumns(sql)}
    )
    select mark, ${notifyInStatement(sql, "read", fields)} from read`;
  return row?.mark ?? null;
}

/**
 * Moves the read mark of each room that a member is behind in to the room's last number.
 * @returns the marks that moved
 */
export function moveAllReadMarks(sql: SqlClient, userId: string) {
  const fields = sql`'user_id', ${userId}::text, 'room_id', room_id, 'mark', mark`;
  return sql<{ room_id: string; mark: ReadMark }[]>`
    with behind as (
      select m.room_id, r.last_seq from memberships m join rooms r on r.id = m.room_id
      where m.user_id = ${userId} and r.last_seq > m.last_read_seq
      -- In one order, so that two devices that do this at once do not deadlock.
      order by m.room_id for update of m
    ), marked as (
      update memberships m set last_read_at = clock_timestamp(), last_read_seq = behind.last_seq
      from behind where m.room_id = behind.room_id and m.user_id = ${userId}
      returning m.room_id, m.user_id, m.last_read_at, m.last_read_seq, m.version
    ), read as (
      select memberships.room_id, ${markColumns(sql)}
    )
    select room_id, mark, ${notifyInStatement(sql, "read", fields)} from read`;
}
