import type { Fragment, SqlClient } from "../database/connect.ts";
import { notifyInStatement } from "../feed/signals.ts";
import { Refusal } from "../platform/refusal.ts";
import { type MembershipKey, requireMembership } from "./access.ts";
import { MENTION_COUNT, UNREAD, UNREAD_COUNT } from "./unread.ts";
import type { ReadMark, RoomReadMark } from "../wire/models.ts";

/**
 * Moves the caller's read mark forward, to a message or to the room's end.
 * @throws Refusal of `requireMembership`; `message_not_found`
 */
export function markRead(
  sql: SqlClient,
  userId: string,
  roomId: string,
  messageId: string | null,
): Promise<ReadMark> {
  return moveReadMark(sql, userId, roomId, {
    to: sql`
      select seq, created_at as at from messages
      where id = ${messageId}::uuid and room_id = ${roomId}
      union all
      select last_seq, clock_timestamp() from rooms
      where id = ${roomId} and ${messageId}::uuid is null`,
    values: sql`last_read_at = greatest(last_read_at, mark.at),
      last_read_seq = greatest(last_read_seq, mark.seq)`,
  });
}

/**
 * Moves the caller's read mark back to just before a message, unless it is already further back.
 * @throws Refusal of `requireMembership`; `message_not_found`
 */
export function markUnread(
  sql: SqlClient,
  userId: string,
  roomId: string,
  messageId: string,
): Promise<ReadMark> {
  return moveReadMark(sql, userId, roomId, {
    to: sql`
      select seq - 1 as seq, created_at - interval '1 millisecond' as at from messages
      where id = ${messageId}::uuid and room_id = ${roomId}`,
    values: sql`last_read_at = least(last_read_at, mark.at),
      last_read_seq = least(last_read_seq, mark.seq)`,
  });
}

/**
 * Marks all rooms of the caller read.
 * @returns the marks that moved
 */
export async function markAllRead(sql: SqlClient, userId: string): Promise<RoomReadMark[]> {
  const fields = sql`'user_id', ${userId}::text, 'room_id', room_id, 'mark', mark`;
  const rows = await sql<{ room_id: string; mark: ReadMark }[]>`
    with behind as (
      select m.room_id, r.last_seq from memberships m join rooms r on r.id = m.room_id
      where m.user_id = ${userId} and r.last_seq > m.last_read_seq
      -- Ordered, so that two devices that do this at once cannot deadlock.
      order by m.room_id for no key update of m
    ), marked as (
      update memberships m set last_read_at = clock_timestamp(), last_read_seq = behind.last_seq
      from behind where m.room_id = behind.room_id and m.user_id = ${userId}
      returning m.room_id, m.user_id, m.last_read_at, m.last_read_seq, m.version
    ), read as (
      select memberships.room_id, ${markColumns(sql)}
    )
    select room_id, mark, ${notifyInStatement(sql, "read", fields)} from read`;
  return rows.map(({ room_id, mark }) => ({ room_id, ...mark }));
}

/** SQL: the read mark of each membership in `marked`, as the event `read` carries it. */
const markColumns = (sql: SqlClient) => sql`json_strip_nulls(json_build_object(
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
 * @param to SQL for the `seq` and the time `at` of the mark; no row where the room has no such message
 * @param values SQL for the membership's new values, from `mark`
 * @throws Refusal of `requireMembership`; `message_not_found`
 */
async function moveReadMark(
  sql: SqlClient,
  userId: string,
  roomId: string,
  { to, values }: { to: Fragment; values: Fragment },
): Promise<ReadMark> {
  await requireMembership(sql, userId, roomId, "member");
  const fields = sql`'user_id', ${userId}::text, 'room_id', ${roomId}::text, 'mark', mark`;
  const [row] = await sql<{ mark: ReadMark }[]>`
    with mark as (${to}), marked as (
      update memberships set ${values}
      from mark where room_id = ${roomId} and user_id = ${userId}
      returning room_id, user_id, last_read_at, last_read_seq, version
    ), read as (
      select ${markColumns(sql)}
    )
    select mark, ${notifyInStatement(sql, "read", fields)} from read`;
  if (!row) throw new Refusal("message_not_found", "There is no such message in this room.");
  return row.mark;
}

/**
 * Notifies members of their read marks after what is unread has changed without an event in the room's log.
 * Raises the versions of the memberships, so that clients know which of two responses is newer.
 */
export async function announceReadMarks(sql: SqlClient, members: MembershipKey[]): Promise<void> {
  const fields = sql`'user_id', user_id, 'room_id', room_id, 'mark', mark`;
  await sql`
    with changed as (
      select m.room_id, m.user_id
      from unnest(
        ${members.map((member) => member.userId)}::uuid[], ${members.map((member) => member.roomId)}::uuid[]
      ) as member(user_id, room_id)
      join memberships m on m.room_id = member.room_id and m.user_id = member.user_id
      order by m.room_id, m.user_id for no key update of m
    ), marked as (
      update memberships m set version = m.version
      from changed where m.room_id = changed.room_id and m.user_id = changed.user_id
      returning m.room_id, m.user_id, m.last_read_at, m.last_read_seq, m.version
    ), read as (
      select memberships.user_id, memberships.room_id, ${markColumns(sql)}
    )
    select ${notifyInStatement(sql, "read", fields)} from read`;
}
