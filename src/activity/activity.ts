import type { Database, Fragment, SqlClient } from "../database/connect.ts";
import { notifyInStatement } from "../feed/signals.ts";
import { readViewersMessages } from "../messages/read.ts";
import {
  formatTimedKey,
  NEWEST,
  parseTimedCursor,
  type TimedPlace,
  toPage,
} from "../platform/input/cursor.ts";
import { isMuted } from "../rooms/muted.ts";
import { isBroadcastTo } from "../rooms/unread.ts";
import { toUser, type UserFields, userFields } from "../users/users.ts";
import type { Activity, ActivityQuery, ActivityType, UnreadActivity } from "../wire/activity.ts";
import { MAX_NEW_ACTIVITY } from "../wire/limits.ts";
import type { Message, Page, User } from "../wire/models.ts";

const MAX_NAMED = 3;

/**
 * Lists activity relevant to a user in the rooms they are currently in, the newest first.
 * @throws Refusal `validation` for an invalid cursor
 */
export async function listActivity(
  { sql }: Database,
  userId: string,
  { cursor, limit, type }: ActivityQuery,
): Promise<Page<Activity>> {
  const place = parseTimedCursor(cursor) ?? NEWEST;
  const rows = await readActivity(sql, userId, place, { limit: limit + 1, type });
  const pageRows = rows.slice(0, limit);
  const ids = pageRows.map((row) => row.message_id);
  const reactedIds = pageRows.filter((row) => row.type === "reaction").map((row) => row.message_id);
  const [messages, reactors] = await Promise.all([
    readViewersMessages(sql, ids, userId),
    reactedIds.length > 0 ? readReactors(sql, userId, reactedIds, MAX_NAMED) : [],
  ]);
  const byMessage = Map.groupBy(reactors, (row) => row.message_id);
  return toPage(rows, limit, keyOf, (row) => {
    const message = messages.get(row.message_id);
    const messageReactors = byMessage.get(row.message_id) ?? [];
    const users = messageReactors.map((reactor) => toUser({ ...reactor, id: reactor.user_id }));
    return message ? toActivity(row, message, users, messageReactors[0]?.total ?? 0, userId) : null;
  });
}

function toActivity(
  { type, at, is_unread, room_name, user_count }: ActivityRow,
  message: Message,
  reactors: User[],
  total: number,
  userId: string,
): Activity {
  const isOfAuthor = type !== "reaction";
  const reactionsOfOthers = message.reactions.filter(({ user_ids }) =>
    user_ids.some((id) => id !== userId),
  );
  return {
    type,
    at: at.toISOString(),
    is_unread,
    message,
    room: { id: message.room_id, name: room_name },
    users: isOfAuthor ? [message.author] : reactors,
    user_count: isOfAuthor ? (user_count ?? 1) : total,
    emojis: isOfAuthor ? [] : reactionsOfOthers.map(({ emoji }) => emoji),
  };
}

export async function countUnreadActivity(sql: SqlClient, userId: string): Promise<UnreadActivity> {
  const { read_at, mentions, reactions } = await readUnread(sql, userId);
  return { read_at: read_at.toISOString(), mentions: mentions ?? [], reactions };
}

const keyOf = ({ at, message_id }: ActivityRow) => formatTimedKey(at, message_id);

/**
 * The lists read the newest rows of each index by person and time, and keep those in the reader's rooms (lateral
 * join), so that their cost is independent of the number of rooms. They read this many rows of each index at first,
 * more than the longest page, and ten times as many again until the page is complete, since many rows may belong to
 * rooms that the reader is not in.
 */
const FIRST_ROWS = 300;

/** SQL condition on rows `n`, given the name of their time column. */
type Range = (at: "created_at" | "reacted_at") => Fragment;

/** SQL join with the user's membership of the row's room. */
const mineIn = (sql: SqlClient, userId: string, row: "n" | "f") => sql`
  cross join lateral (
    ${mineOf(sql, userId)} and ms.room_id = ${sql.unsafe(row)}.room_id limit 1
  ) mine`;

const NEWEST_FIRST = "order by created_at desc, message_id desc";
const NEWEST_REACTED_FIRST = "order by reacted_at desc, message_id desc";

/** SQL for the unlimited rows `n` of each table within the range. Broadcasts are those of all rooms. */
function rowsOf(sql: SqlClient, userId: string, range: Range) {
  const ofUser = sql`n where n.user_id = ${userId} and ${range("created_at")} ${sql.unsafe(NEWEST_FIRST)}`;
  return {
    named: sql`message_mentions ${ofUser}`,
    keywords: sql`keyword_hits ${ofUser}`,
    broadcasts: sql`message_broadcasts n where ${range("created_at")} ${sql.unsafe(NEWEST_FIRST)}`,
    reactions: sql`reacted_messages n
      where n.author_id = ${userId} and ${range("reacted_at")} ${sql.unsafe(NEWEST_REACTED_FIRST)}`,
  };
}

/** SQL condition that a table of mentions has more rows in the range than were read. */
const hasMoreMentions = (sql: SqlClient, userId: string, range: Range, maxRows: number) => {
  const { named, keywords, broadcasts } = rowsOf(sql, userId, range);
  const reach = sql`offset ${maxRows}`;
  return sql`(exists (select from ${named} ${reach}) or exists (select from ${keywords} ${reach})
    or exists (select from ${broadcasts} ${reach}))`;
};

const hasMoreReactions = (sql: SqlClient, userId: string, range: Range, maxRows: number) =>
  sql`exists (select from ${rowsOf(sql, userId, range).reactions} offset ${maxRows})`;

/**
 * SQL for the newest messages by others that mention the user, up to a limit for each of the three ways
 * to mention, so a message may occur more than once. `@room` and `@here` do not count in a muted room.
 */
function mentionsOf(
  sql: SqlClient,
  userId: string,
  range: Range,
  { limit, maxRows, and = "" }: { limit: number; maxRows: number; and?: string },
) {
  const { named, keywords, broadcasts } = rowsOf(sql, userId, range);
  const mineFragment = mineIn(sql, userId, "n");
  const newest = sql.unsafe(NEWEST_FIRST);
  const condition = sql.unsafe(and);
  const byOthers = sql`cross join lateral (
    select from messages where id = n.message_id and (author_id <> ${userId} or via_name is not null)
    limit 1
  ) m`;
  const columns = sql`mine.room_id, n.message_id, n.seq, n.created_at as at,
    n.seq > mine.last_read_seq and n.created_at > mine.activity_read_at and not mine.is_muted
      as is_unread`;
  return sql`
    (select ${columns}
      from (select * from ${named} limit ${maxRows}) n ${mineFragment} ${byOthers}
      where true ${condition} ${newest} limit ${limit})
    union all
    (select ${columns}
      from (select * from ${keywords} limit ${maxRows}) n ${mineFragment}
      where true ${condition} ${newest} limit ${limit})
    union all
    (select room_id, message_id, seq, at, is_unread from (
        -- Reads all memberships at once, because many broadcasts may be in other rooms.
        select ${columns}, n.created_at
        from (select * from ${broadcasts} limit ${maxRows}) n
        join (${mineOf(sql, userId)}) mine on mine.room_id = n.room_id
        where not mine.is_muted and n.created_at >= mine.joined_at
          and ${sql.unsafe(isBroadcastTo("mine.user_id"))} ${condition} ${newest}
      ) n ${byOthers} ${newest} limit ${limit})`;
}

/** Whether the limit on rows left nothing out. */
type Completeness = { is_complete: boolean };

export async function readActivity(
  sql: SqlClient,
  userId: string,
  { at, id }: TimedPlace,
  { limit, type }: { limit: number; type?: ActivityType },
  maxRows = FIRST_ROWS,
): Promise<ActivityRow[]> {
  const before: Range = (time) => sql`(n.${sql.unsafe(time)}, n.message_id) < (${at}, ${id}::uuid)`;
  const onPage: Range = (time) =>
    sql`${before(time)} and n.${sql.unsafe(time)} >= (select at from reach)`;
  const repliedBefore = sql`and (m.created_at, m.id) < (${at}, ${id}::uuid)`;
  const newest = sql.unsafe(NEWEST_REACTED_FIRST);
  // Constants let PostgreSQL skip the parts of the query that are not listed.
  const lists = (candidate: ActivityType) => sql.unsafe(String((type ?? candidate) === candidate));
  const rows = await sql<(Partial<ActivityRow> & Completeness)[]>`
    with activity as materialized (
      select distinct 'mention' as type, room_id, message_id, at, is_unread, null::int as user_count
      from (${mentionsOf(sql, userId, before, { limit, maxRows })}) x where ${lists("mention")}
      union all
      (select 'reaction', mine.room_id, n.message_id, n.reacted_at,
          n.reacted_at > mine.activity_read_at, null
        from (
          select * from ${rowsOf(sql, userId, before).reactions} limit ${maxRows}
        ) n ${mineIn(sql, userId, "n")}
        where ${lists("reaction")} ${newest} limit ${limit})
      union all
      ${repliesToMine(sql, userId, mineIn(sql, userId, "f"), repliedBefore)} and ${lists("reply")}
    ), page as materialized (
      select * from activity order by at desc, message_id desc, type limit ${limit}
    ), reach as materialized (
      select case when count(*) = ${limit} then min(at) else '-infinity' end as at from page
    )
    select type, message_id, page.at, is_unread, user_count, room_name,
      not (${lists("mention")} and ${hasMoreMentions(sql, userId, onPage, maxRows)}
        or ${lists("reaction")} and ${hasMoreReactions(sql, userId, onPage, maxRows)}) as is_complete
    from reach left join page on true
    left join lateral (
      select name as room_name from rooms where id = page.room_id limit 1
    ) room on true
    order by page.at desc, message_id desc, type`;
  if (!rows[0]?.is_complete)
    return readActivity(sql, userId, { at, id }, { limit, type }, maxRows * 10);
  // An empty page consists of one row without an entry.
  return rows.filter((row): row is ActivityRow & Completeness => row.message_id !== null);
}

/** Counts a user's activity since their read mark, by room. */
export async function readUnread(
  sql: SqlClient,
  userId: string,
  maxRows = FIRST_ROWS,
): Promise<UnreadRow> {
  const isNew: Range = (time) =>
    sql`n.${sql.unsafe(time)} > (select activity_read_at from users where id = ${userId})`;
  const isUnread = "and n.seq > mine.last_read_seq and not mine.is_muted";
  const [row] = await sql<(UnreadRow & Completeness)[]>`
    select activity_read_at as read_at, is_complete, case when is_complete then (
      select json_agg(json_build_object('room_id', room_id, 'count', count, 'seq', seq) order by room_id)
      from (
        select room_id, least(count(distinct message_id), ${MAX_NEW_ACTIVITY}) as count, max(seq) as seq
        from (${mentionsOf(sql, userId, isNew, { limit: maxRows, maxRows, and: isUnread })}) x group by room_id
      ) counted
    ) end as mentions, case when is_complete then (
      select count(*)::int from (
        select from (select * from ${rowsOf(sql, userId, isNew).reactions} limit ${maxRows}) n
        ${mineIn(sql, userId, "n")} limit ${MAX_NEW_ACTIVITY}
      ) unread
    ) end as reactions
    from users, (
      select not (${hasMoreMentions(sql, userId, isNew, maxRows)}
        or ${hasMoreReactions(sql, userId, isNew, maxRows)}) as is_complete
    ) reached
    where id = ${userId}`;
  if (!row) throw new Error("readUnread: no such user");
  const { is_complete, ...counts } = row;
  return is_complete ? counts : readUnread(sql, userId, maxRows * 10);
}

export type ActivityRow = {
  type: ActivityType;
  message_id: string;
  at: Date;
  is_unread: boolean;
  room_name: string;
  /** For a reply: the number of other people who have replied. */
  user_count: number | null;
};

/** Activity since a user's read mark: mentions by room, and the number of messages with new reactions. */
export type UnreadRow = {
  read_at: Date;
  mentions: UnreadActivity["mentions"] | null;
  reactions: number;
};

/**
 * SQL for the rooms that a user is currently in, with their read marks. Excludes direct conversations,
 * which have their own unread counts. All lists and counts are restricted to these rows.
 */
export const mineOf = (sql: SqlClient, userId: string) => sql`
  select ms.user_id, ms.room_id, ms.last_read_seq, ms.joined_at, ${sql.unsafe(isMuted("ms"))} as is_muted,
    (select activity_read_at from users where id = ${userId}) as activity_read_at
  from memberships ms where ms.user_id = ${userId} and not ms.is_direct`;

/**
 * SQL for followed threads of the user's own messages, each with the newest reply by someone else,
 * unless that reply mentions the user.
 * @param mineFragment joins the membership of the room of `f`
 */
export const repliesToMine = (
  sql: SqlClient,
  userId: string,
  mineFragment: Fragment,
  before: Fragment,
) => sql`
  select 'reply' as type, mine.room_id, m.id as message_id, m.created_at as at,
    m.created_at > mine.activity_read_at and m.seq > f.read_seq
      and t.resolved_at is null as is_unread,
    greatest(cardinality(array_remove(t.last_author_ids, mine.user_id)), 1) as user_count
  from thread_follows f
  join threads t on t.message_id = f.thread_id
  join messages root on root.id = t.message_id and root.author_id = f.user_id
    and root.via_name is null and root.deleted_at is null
  ${mineFragment}
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

/** Moves a user's read mark forward, at most to the current time, and notifies their sockets. */
export async function moveActivityMark(sql: SqlClient, userId: string, at: Date): Promise<void> {
  await sql`
    with moved as (
      update users set activity_read_at = least(${at}, clock_timestamp())
      where id = ${userId} and activity_read_at < least(${at}, clock_timestamp())
      returning id
    )
    select ${notifyInStatement(sql, "activity_updated", sql`'user_id', id`)} from moved`;
}

type ReactorRow = UserFields & { message_id: string; user_id: string; total: number };

/** Reads the people who most recently reacted to each of these messages, excluding its author. */
function readReactors(sql: SqlClient, authorId: string, messageIds: string[], limit: number) {
  return sql<ReactorRow[]>`
    select target.id as message_id, r.user_id, r.total, ${sql.unsafe(userFields("u"))}
    from unnest(${messageIds}::uuid[]) as target(id)
    cross join lateral (
      select user_id, max(created_at) as at, count(*) over ()::int as total
      from message_reactions where message_id = target.id and user_id <> ${authorId}
      group by user_id order by at desc, user_id limit ${limit}
    ) r
    join users u on u.id = r.user_id
    order by r.at desc, r.user_id`;
}
