/**
 * Hand-written SQL: lists from indexes by person and time, which read the newest rows of each and
 * take those that are in a room of the reader's (lateral). So they read as many rows as they list,
 * however many rooms there are.
 */
import type { Fragment, SqlClient } from "../database/connect.ts";
import { isBroadcastTo } from "../rooms/unread.ts";
import { MAX_NEW_ACTIVITY } from "../wire/limits.ts";
import {
  type ActivityPlace,
  type ActivityRow,
  mineOf,
  repliesToMine,
  type UnreadRow,
} from "./shared-statements.ts";

/**
 * How many rows of each index are read at most, more than the longest page. Where further ones could
 * be on the list, because many are not in the reader's rooms, the rows say that they are not all.
 */
const MAX_ROWS = 300;

/** SQL: which rows `n` are read, by the column of their time. */
type Range = (at: "created_at" | "reacted_at") => Fragment;

/** SQL: the membership of the room of a row. */
const mineIn = (sql: SqlClient, userId: string, row: "n" | "f") => sql`
  cross join lateral (
    ${mineOf(sql, userId)} and ms.room_id = ${sql.unsafe(row)}.room_id limit 1
  ) mine`;

const NEWEST = "order by created_at desc, message_id desc";
const NEWEST_REACTED = "order by reacted_at desc, message_id desc";

/** SQL: the rows `n` of each table in the range, without an end. Broadcasts are those of all rooms. */
function rowsOf(sql: SqlClient, userId: string, range: Range) {
  const ofUser = sql`n where n.user_id = ${userId} and ${range("created_at")} ${sql.unsafe(NEWEST)}`;
  return {
    named: sql`message_mentions ${ofUser}`,
    keywords: sql`keyword_hits ${ofUser}`,
    broadcasts: sql`message_broadcasts n where ${range("created_at")} ${sql.unsafe(NEWEST)}`,
    reactions: sql`reacted_messages n
      where n.author_id = ${userId} and ${range("reacted_at")} ${sql.unsafe(NEWEST_REACTED)}`,
  };
}

/** SQL, boolean: whether a table has more rows in the range than are read. */
const hasMore = (sql: SqlClient, userId: string, range: Range) => {
  const { named, keywords, broadcasts, reactions } = rowsOf(sql, userId, range);
  const reach = sql`offset ${MAX_ROWS}`;
  return sql`(exists (select from ${named} ${reach}) or exists (select from ${keywords} ${reach})
    or exists (select from ${broadcasts} ${reach}) or exists (select from ${reactions} ${reach}))`;
};

/**
 * SQL: the newest messages of others that mention the person, so many of each of three ways, so that
 * a message may be there more than once. `@room` and `@here` do not count in a muted room.
 */
function mentionsOf(sql: SqlClient, userId: string, range: Range, limit: number, and = "") {
  const { named, keywords, broadcasts } = rowsOf(sql, userId, range);
  const mine = mineIn(sql, userId, "n");
  const newest = sql.unsafe(NEWEST);
  const more = sql.unsafe(and);
  const byOthers = sql`cross join lateral (
    select from messages where id = n.message_id and (author_id <> ${userId} or via_name is not null)
    limit 1
  ) m`;
  const columns = sql`mine.room_id, n.message_id, n.created_at as at,
    n.seq > mine.last_read_seq and n.created_at > mine.activity_read_at and not mine.is_muted
      as is_unread`;
  return sql`
    (select ${columns}
      from (select * from ${named} limit ${MAX_ROWS}) n ${mine} ${byOthers}
      where true ${more} ${newest} limit ${limit})
    union all
    (select ${columns}
      from (select * from ${keywords} limit ${MAX_ROWS}) n ${mine}
      where true ${more} ${newest} limit ${limit})
    union all
    (select room_id, message_id, at, is_unread from (
        -- Many may be of other rooms: all memberships are read at once.
        select ${columns}, n.created_at
        from (select * from ${broadcasts} limit ${MAX_ROWS}) n
        join (${mineOf(sql, userId)}) mine on mine.room_id = n.room_id
        where not mine.is_muted and n.created_at >= mine.joined_at
          and ${sql.unsafe(isBroadcastTo("mine.user_id"))} ${more} ${newest}
      ) n ${byOthers} ${newest} limit ${limit})`;
}

/** Whether nothing is missing of what was read. */
type Reached = { is_complete: boolean };

/** Reads a page of a person's activity, the newest first; null where it would take too many rows. */
export async function readNewestActivity(
  sql: SqlClient,
  userId: string,
  { at, messageId }: ActivityPlace,
  limit: number,
): Promise<ActivityRow[] | null> {
  const before: Range = (time) =>
    sql`(n.${sql.unsafe(time)}, n.message_id) < (${at}, ${messageId}::uuid)`;
  const onPage: Range = (time) =>
    sql`${before(time)} and n.${sql.unsafe(time)} >= (select at from reach)`;
  const repliedBefore = sql`and (m.created_at, m.id) < (${at}, ${messageId}::uuid)`;
  const newest = sql.unsafe(NEWEST_REACTED);
  const rows = await sql<(Partial<ActivityRow> & Reached)[]>`
    with activity as materialized (
      select distinct 'mention' as type, room_id, message_id, at, is_unread, null::int as user_count
      from (${mentionsOf(sql, userId, before, limit)}) x
      union all
      (select 'reaction', mine.room_id, n.message_id, n.reacted_at,
          n.reacted_at > mine.activity_read_at, null
        from (
          select * from ${rowsOf(sql, userId, before).reactions} limit ${MAX_ROWS}
        ) n ${mineIn(sql, userId, "n")}
        ${newest} limit ${limit})
      union all
      ${repliesToMine(sql, userId, mineIn(sql, userId, "f"), repliedBefore)}
    ), page as materialized (
      select * from activity order by at desc, message_id desc, type limit ${limit}
    ), reach as materialized (
      select case when count(*) = ${limit} then min(at) else '-infinity' end as at from page
    )
    select type, message_id, page.at, is_unread, user_count, room_name,
      not ${hasMore(sql, userId, onPage)} as is_complete
    from reach left join page on true
    left join lateral (
      select name as room_name from rooms where id = page.room_id limit 1
    ) room on true
    order by page.at desc, message_id desc, type`;
  if (!rows[0]?.is_complete) return null;
  // An empty list is one row without an entry.
  return rows.filter((row): row is ActivityRow & Reached => row.message_id !== null);
}

/** Counts what is newer than a person's mark; null where it would take too many rows. */
export async function readNewestUnread(sql: SqlClient, userId: string): Promise<UnreadRow | null> {
  const isNew: Range = (time) =>
    sql`n.${sql.unsafe(time)} > (select activity_read_at from users where id = ${userId})`;
  const isUnread = "and n.seq > mine.last_read_seq and not mine.is_muted";
  const [row] = await sql<(UnreadRow & Reached)[]>`
    select activity_read_at as read_at, is_complete, case when is_complete then (
      select json_agg(json_build_object('room_id', room_id, 'count', count) order by room_id)
      from (
        select room_id, least(count(distinct message_id), ${MAX_NEW_ACTIVITY}) as count
        from (${mentionsOf(sql, userId, isNew, MAX_ROWS, isUnread)}) x group by room_id
      ) counted
    ) end as mentions, case when is_complete then (
      select count(*)::int from (
        select from (select * from ${rowsOf(sql, userId, isNew).reactions} limit ${MAX_ROWS}) n
        ${mineIn(sql, userId, "n")} limit ${MAX_NEW_ACTIVITY}
      ) unread
    ) end as reactions
    from users, (select not ${hasMore(sql, userId, isNew)} as is_complete) reached
    where id = ${userId}`;
  if (!row) throw new Error("readNewestUnread: no such user");
  const { is_complete, ...counts } = row;
  return is_complete ? counts : null;
}
