/**
 * What `readActivity` and `readUnread` return, read in another way to compare with: from the reader's
 * memberships, a bounded number of rows of each room (lateral).
 */
import type { Fragment, SqlClient } from "../../src/database/connect.ts";
import type { TimedPlace } from "../../src/platform/input/cursor.ts";
import { isBroadcastTo } from "../../src/rooms/unread.ts";
import { MAX_NEW_ACTIVITY } from "../../src/wire/limits.ts";
import {
  type ActivityRow,
  mineOf,
  repliesToMine,
  type UnreadRow,
} from "../../src/activity/activity.ts";

/**
 * SQL, for rows of `mine`: the newest messages of others that mention the person, so many of each room
 * and in each of three ways, so that a message may be there more than once. `@room` and `@here` do not
 * count in a muted room.
 */
const mentionsIn = (sql: SqlClient, and: Fragment, limit: number) => sql`
  select mine.*, m.id, m.seq, m.created_at from mine cross join lateral (
    select m.id, m.seq, m.created_at from message_mentions n join messages m on m.id = n.message_id
    where n.user_id = mine.user_id and n.room_id = mine.room_id
      and (m.author_id <> mine.user_id or m.via_name is not null) ${and}
    order by n.seq desc limit ${limit}) m
  union all
  select mine.*, m.id, m.seq, m.created_at from mine cross join lateral (
    select m.id, m.seq, m.created_at from keyword_hits n join messages m on m.id = n.message_id
    where n.user_id = mine.user_id and n.room_id = mine.room_id ${and}
    order by n.seq desc limit ${limit}) m
  union all
  select mine.*, m.id, m.seq, m.created_at from mine cross join lateral (
    select m.id, m.seq, m.created_at from message_broadcasts n join messages m on m.id = n.message_id
    where n.room_id = mine.room_id and not mine.is_muted and m.created_at >= mine.joined_at
      and ${sql.unsafe(isBroadcastTo("mine.user_id"))}
      and (m.author_id <> mine.user_id or m.via_name is not null) ${and}
    order by n.seq desc limit ${limit}) m`;

/**
 * Reads a page of a person's activity, the newest first, from each room. The newest mention and reaction of each
 * room decide which rooms can be on the page: entries of any other room are older than a page's
 * worth of entries.
 */
export function readActivityByRoom(
  sql: SqlClient,
  userId: string,
  { at, id }: TimedPlace,
  limit: number,
): Promise<ActivityRow[]> {
  const ofRoom = sql`join mine on mine.user_id = f.user_id and mine.room_id = f.room_id`;
  const before = sql`and (m.created_at, m.id) < (${at}, ${id}::uuid)`;
  const reactionsIn = (most: number) => sql`
    select message_id, reacted_at from reacted_messages
    where author_id = mine.user_id and room_id = mine.room_id
      and (reacted_at, message_id) < (${at}, ${id}::uuid)
    order by reacted_at desc, message_id desc limit ${most}`;
  return sql<ActivityRow[]>`
    with mine as materialized (${mineOf(sql, userId)}), newest as materialized (
      select room_id, max(at) as at from (
        select room_id, created_at as at from (${mentionsIn(sql, before, 1)}) m
        union all
        select mine.room_id, r.reacted_at from mine cross join lateral (${reactionsIn(1)}) r
      ) x group by room_id
    ), recent as materialized (
      select * from mine where room_id in (
        select room_id from newest where at >= coalesce(
          (select at from newest order by at desc offset ${limit - 1} limit 1), '-infinity')
      )
    ), activity as (
      select distinct 'mention' as type, room_id, id as message_id, created_at as at,
        seq > last_read_seq and created_at > activity_read_at and not is_muted as is_unread,
        null::int as user_count
      from (with mine as (select * from recent) ${mentionsIn(sql, before, limit)}) x
      union all
      select 'reaction', mine.room_id, x.message_id, x.reacted_at,
        x.reacted_at > mine.activity_read_at, null
      from recent mine cross join lateral (${reactionsIn(limit)}) x
      union all
      ${repliesToMine(sql, userId, ofRoom, before)}
    )
    select type, message_id, at, is_unread, user_count, name as room_name
    from (select * from activity order by at desc, message_id desc, type limit ${limit}) page
    join rooms on rooms.id = page.room_id
    order by at desc, message_id desc, type`;
}

/** Counts what is newer than a person's mark, in each room. */
export async function readUnreadByRoom(sql: SqlClient, userId: string): Promise<UnreadRow> {
  const isNew = sql`and n.seq > mine.last_read_seq and m.created_at > mine.activity_read_at`;
  const [row] = await sql<UnreadRow[]>`
    with mine as materialized (
      ${mineOf(sql, userId)}
    ), unread as materialized (
      select mine.* from mine join rooms r on r.id = mine.room_id
      where not is_muted and r.last_seq > mine.last_read_seq
        and r.last_message_at > mine.activity_read_at
    )
    select activity_read_at as read_at, (
      select json_agg(json_build_object('room_id', room_id, 'count', count, 'seq', seq) order by room_id)
      from (
        select room_id, least(count(distinct id), ${MAX_NEW_ACTIVITY}) as count, max(seq) as seq
        from (with mine as (select * from unread) ${mentionsIn(sql, isNew, MAX_NEW_ACTIVITY)}) x
        group by room_id
      ) counted
    ) as mentions, (
      select count(*)::int from (
        select from mine join reacted_messages x
          on x.author_id = mine.user_id and x.room_id = mine.room_id
            and x.reacted_at > mine.activity_read_at
        limit ${MAX_NEW_ACTIVITY}
      ) unread
    ) as reactions
    from users where id = ${userId}`;
  if (!row) throw new Error("readUnreadByRoom: no such user");
  return row;
}
