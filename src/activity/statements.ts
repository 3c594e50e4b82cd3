/**
 * Hand-written SQL: lists from several tables, which start from the reader's memberships and read a
 * bounded number of rows of each room (lateral); a mark that moves and is announced in one
 * statement.
 */
import type { UserFields } from "../accounts/users.ts";
import type { Fragment, SqlClient } from "../database/connect.ts";
import { notifyInStatement } from "../feed/statements.ts";
import { READ_SEQ } from "../messages/threads/marks.ts";
import { isBroadcastTo } from "../rooms/unread.ts";
import type { ActivityType } from "../wire/activity.ts";
import { MAX_NEW_ACTIVITY } from "../wire/limits.ts";

/** An entry of a person's activity. */
export type ActivityRow = {
  type: ActivityType;
  message_id: string;
  at: Date;
  is_unread: boolean;
  room_name: string;
  /** For a reply: how many others have replied. */
  user_count: number | null;
};

/** Where a page begins: with older entries, and with those of the same time that have a smaller id. */
export type ActivityPlace = { at: Date; messageId: string };

/**
 * SQL: the rooms that a person is in now, with the read mark. Conversations are left out: they have
 * unread counts of their own.
 */
const mineOf = (sql: SqlClient, userId: string) => sql`
  select ms.user_id, ms.room_id, ms.last_read_seq, ms.joined_at, ms.notify = 'none' as is_muted,
    u.activity_read_at
  from memberships ms join users u on u.id = ms.user_id
  where ms.user_id = ${userId} and not ms.is_direct`;

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
 * SQL, for rows of `mine`: threads of the person's own messages that the person follows, each with
 * the newest reply of someone else, unless that reply mentions the person.
 */
const repliesToMine = (sql: SqlClient, before: Fragment) => sql`
  select 'reply', mine.room_id, m.id, m.created_at, m.created_at > mine.activity_read_at
      and m.seq > ${sql.unsafe(READ_SEQ)} and t.resolved_at is null,
    greatest(cardinality(array_remove(t.last_author_ids, mine.user_id)), 1)
  from mine
  join thread_follows f on f.user_id = mine.user_id and f.room_id = mine.room_id and f.is_following
  join threads t on t.message_id = f.thread_id
  join messages root on root.id = t.message_id and root.author_id = mine.user_id
    and root.via_name is null and root.deleted_at is null
  cross join lateral (
    select id, seq, created_at from messages
    where thread_id = t.message_id and (author_id <> mine.user_id or via_name is not null)
    order by seq desc limit 1
  ) m
  where not exists (
    select from message_mentions where message_id = m.id and user_id = mine.user_id
  ) ${before}`;

/**
 * Reads a page of a person's activity, the newest first. The newest mention and reaction of each
 * room decide which rooms can be on the page: entries of any other room are older than a page's
 * worth of entries.
 */
export function readActivity(
  sql: SqlClient,
  userId: string,
  { at, messageId }: ActivityPlace,
  limit: number,
): Promise<ActivityRow[]> {
  const before = sql`and (m.created_at, m.id) < (${at}, ${messageId}::uuid)`;
  const reactionsIn = (most: number) => sql`
    select message_id, reacted_at from reacted_messages
    where author_id = mine.user_id and room_id = mine.room_id
      and (reacted_at, message_id) < (${at}, ${messageId}::uuid)
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
      ${repliesToMine(sql, before)}
    )
    select type, message_id, at, is_unread, user_count, name as room_name
    from (select * from activity order by at desc, message_id desc limit ${limit}) page
    join rooms on rooms.id = page.room_id
    order by at desc, message_id desc`;
}

type UnreadActivityRow = {
  read_at: Date;
  mentions: { room_id: string; count: number }[] | null;
  reactions: number;
};

/** Counts what is newer than a person's mark: mentions by room, and messages that got a reaction. */
export async function readUnreadActivity(sql: SqlClient, userId: string) {
  const isNew = sql`and n.seq > mine.last_read_seq and m.created_at > mine.activity_read_at`;
  const [row] = await sql<UnreadActivityRow[]>`
    with mine as materialized (
      ${mineOf(sql, userId)}
    ), unread as materialized (
      select mine.* from mine join rooms r on r.id = mine.room_id
      where not is_muted and r.last_seq > mine.last_read_seq
        and r.last_message_at > mine.activity_read_at
    )
    select activity_read_at as read_at, (
      select json_agg(json_build_object('room_id', room_id, 'count', count) order by room_id)
      from (
        select room_id, least(count(distinct id), ${MAX_NEW_ACTIVITY}) as count
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
  if (!row) throw new Error("readUnreadActivity: no such user");
  return row;
}

/** Moves a person's mark forward, at most to now, and notifies the person's sockets. */
export async function moveActivityMark(sql: SqlClient, userId: string, at: Date): Promise<void> {
  await sql`
    with moved as (
      update users set activity_read_at = least(${at}, clock_timestamp())
      where id = ${userId} and activity_read_at < least(${at}, clock_timestamp())
      returning id
    )
    select ${notifyInStatement(sql, "activity_updated", sql`'user_id', id`)} from moved`;
}

/** Who reacted to a message of a person. */
type ReactorRow = UserFields & { message_id: string; user_id: string; total: number };

/** The people who reacted last to each of these messages, the newest first, without its author. */
export function readReactors(
  sql: SqlClient,
  authorId: string,
  messageIds: string[],
  limit: number,
) {
  return sql<ReactorRow[]>`
    select wanted.id as message_id, r.user_id, r.total, u.username, u.display_name,
      u.avatar_version, u.is_bot, u.is_active
    from unnest(${messageIds}::uuid[]) as wanted(id)
    cross join lateral (
      select user_id, max(created_at) as at, count(*) over ()::int as total
      from message_reactions where message_id = wanted.id and user_id <> ${authorId}
      group by user_id order by at desc, user_id limit ${limit}
    ) r
    join users u on u.id = r.user_id
    order by r.at desc, r.user_id`;
}
