/** Hand-written SQL: what both ways to read the list have in common. */
import type { Fragment, SqlClient } from "../database/connect.ts";
import { READ_SEQ } from "../messages/threads/marks.ts";
import { isBroadcastTo } from "../rooms/unread.ts";
import type { ActivityType } from "../wire/activity.ts";

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

/** What is new since a person's mark: mentions by room, and how many messages got a reaction. */
export type UnreadRow = {
  read_at: Date;
  mentions: { room_id: string; count: number }[] | null;
  reactions: number;
};

/**
 * SQL: the rooms that a person is in now, with the read mark. Conversations are left out: they have
 * unread counts of their own. Nothing is listed or counted but through these rows.
 */
export const mineOf = (sql: SqlClient, userId: string) => sql`
  select ms.user_id, ms.room_id, ms.last_read_seq, ms.joined_at, ms.notify = 'none' as is_muted,
    (select activity_read_at from users where id = ${userId}) as activity_read_at
  from memberships ms where ms.user_id = ${userId} and not ms.is_direct`;

/**
 * SQL: threads of the person's own messages that the person follows, each with the newest reply of
 * someone else, unless that reply mentions the person in any of the three ways.
 * @param mine joins the membership of the room of `f`
 */
export const repliesToMine = (
  sql: SqlClient,
  userId: string,
  mine: Fragment,
  before: Fragment,
) => sql`
  select 'reply' as type, mine.room_id, m.id as message_id, m.created_at as at,
    m.created_at > mine.activity_read_at and m.seq > ${sql.unsafe(READ_SEQ)}
      and t.resolved_at is null as is_unread,
    greatest(cardinality(array_remove(t.last_author_ids, mine.user_id)), 1) as user_count
  from thread_follows f
  join threads t on t.message_id = f.thread_id
  join messages root on root.id = t.message_id and root.author_id = f.user_id
    and root.via_name is null and root.deleted_at is null
  ${mine}
  cross join lateral (
    select id, seq, created_at from messages
    where thread_id = t.message_id and (author_id <> mine.user_id or via_name is not null)
    order by seq desc limit 1
  ) m
  where f.user_id = ${userId} and f.is_following and not exists (
    select from message_mentions where message_id = m.id and user_id = mine.user_id
  ) and not exists (
    select from keyword_hits where message_id = m.id and user_id = mine.user_id
  ) and not exists (
    select from message_broadcasts where message_id = m.id and not mine.is_muted
      and m.created_at >= mine.joined_at and ${sql.unsafe(isBroadcastTo("mine.user_id"))}
  ) ${before}`;
