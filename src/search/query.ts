import type { Fragment, SqlClient } from "../database/connect.ts";
import { type MessageRow, messageColumns } from "../messages/read.ts";
import {
  ROOM_SIGN,
  TOKENS_VERSION,
  DAYS_PER_MONTH,
  dayToken,
  monthToken,
  quoteToken,
} from "./tokens.ts";

export type SearchedRoom = {
  id: string;
  kind: "room" | "direct";
  name: string | null;
  /** The other person in a two-person conversation; the viewer in a conversation with oneself. */
  partner: string | null;
  last_seq: number;
  /** Whether all of the room's messages are indexed. */
  is_whole: boolean;
  indexed_since: Date | null;
};

export function readSearchedRooms(sql: SqlClient, viewerId: string): Promise<SearchedRoom[]> {
  return sql<SearchedRoom[]>`
    select r.id, r.kind, r.name, r.last_seq, case when r.direct_kind in ('self', 'pair') then (
        select u.username from memberships o join users u on u.id = o.user_id
        where o.room_id = r.id and (o.user_id <> ${viewerId} or r.direct_kind = 'self') limit 1
      ) end as partner, s.is_whole, case when not s.is_whole then (
      select created_at from messages where room_id = r.id and seq >= s.back_seq order by seq limit 1
    ) end as indexed_since
    from memberships x join rooms r on r.id = x.room_id
    cross join lateral (
      select coalesce(max(back_seq), r.last_seq + 1) as back_seq,
        case when count(*) = 0 then r.last_seq = 0
          else max(back_seq) = 0 and max(version) >= ${TOKENS_VERSION}::int end as is_whole
      from search_rooms where room_id = r.id
    ) s
    where x.user_id = ${viewerId} and r.deleted_at is null`;
}

/** Reads the first message id in the index, and the total length of all room logs. */
export async function readIndexExtent(
  sql: SqlClient,
): Promise<{ first_id: string | null; log_size: number }> {
  const [row] = await sql<{ first_id: string | null; log_size: number }[]>`
    select (select message_id from message_search order by message_id limit 1) as first_id,
      (select coalesce(sum(last_seq), 0)::bigint from rooms) as log_size`;
  return row ?? { first_id: null, log_size: 0 };
}

export type NamedPerson = { id: string; number: number; username: string };

export function readNamedPeople(
  sql: SqlClient,
  usernames: string[],
  ids: string[],
): Promise<NamedPerson[]> {
  return sql<NamedPerson[]>`
    select id, number, username from users
    where username = any(${usernames}) or id = any(${ids}::uuid[])`;
}

/**
 * Filters on state that changes independently of the message, evaluated by a join at query time.
 * Filters of features that do not exist yet match nothing.
 */
const JOINS = {
  "has:reaction": (sql) =>
    sql`exists (select from message_reactions x where x.message_id = s.message_id)`,
  "has:pin": (sql) => sql`exists (select from message_pins x where x.message_id = s.message_id)`,
  "has:thread": (sql) => sql`exists (select from threads x where x.message_id = s.message_id)`,
  "is:saved": (sql, viewerId) => sql`exists (
    select from saved_messages x
    where x.message_id = s.message_id and x.user_id = ${viewerId} and x.done_at is null
  )`,
  "is:reply": (sql) =>
    sql`exists (select from messages x where x.id = s.message_id and x.thread_id is not null)`,
} satisfies Record<string, (sql: SqlClient, viewerId: string) => Fragment>;
export type JoinedFilter = keyof typeof JOINS;

export function isJoinedFilter(filter: string): filter is JoinedFilter {
  return Object.hasOwn(JOINS, filter);
}

/** A search within a window of days. */
type WindowQuery = {
  viewerId: string;
  /** Rooms to search, limited to those that the viewer is in. */
  roomIds: string[];
  /**
   * Whether the index also selects by room, which is faster if the rooms hold a small share of all
   * messages.
   */
  usesRoomTokens: boolean;
  /** Restricts the search to this thread, including its root. */
  threadId: string | null;
  /** `tsquery`s for required content, days and excluded content. */
  terms: string;
  window: string;
  joins: { filter: JoinedFilter; isNegated: boolean }[];
  /** Exclusive bounds of the message ids. */
  above: string;
  below: string;
  sort: "newest" | "oldest";
  readsMentions: boolean;
  limit: number;
};

/** A message found in the index, in its current state; `id` is null if it was deleted. */
export type CandidateRow = { candidate_id: string } & (
  | { id: null }
  | (MessageRow & {
      file_name: string | null;
      preview_title: string | null;
      thread_title: string | null;
      has_image: boolean;
      has_link: boolean;
      mention_ids: string[];
    })
);

/**
 * Reads a window's messages that match the index, in order.
 *
 * The two steps must stay separate (materialized); otherwise PostgreSQL scans messages by time and
 * filters them, which takes time proportional to the table's size (`bench/search.ts`). Each condition
 * is a separate `@@`, so that the GIN index can skip between them.
 */
export function readCandidates(sql: SqlClient, query: WindowQuery): Promise<CandidateRow[]> {
  const { terms, joins, viewerId, threadId, usesRoomTokens } = query;
  const order = query.sort === "newest" ? sql`desc` : sql`asc`;
  const roomTokens = sql`and s.words @@ (
    select string_agg('''' || ${ROOM_SIGN} || number || '''', ' | ')::tsquery from mine)`;
  const isInThread = sql`and s.message_id in (
    select id from messages where thread_id = ${threadId} union all select ${threadId}::uuid)`;
  return sql<CandidateRow[]>`
    with mine as materialized (
      select x.room_id, r.number from memberships x join rooms r on r.id = x.room_id
      where x.user_id = ${viewerId} and x.room_id = any(${query.roomIds}::uuid[])
    ), hits as materialized (
      select s.message_id from message_search s
      where s.words @@ ${query.window}::tsquery
        ${terms === "" ? sql`` : sql`and s.words @@ ${terms}::tsquery`}
        ${usesRoomTokens ? roomTokens : sql`and s.room_id in (select room_id from mine)`}
        and s.message_id > ${query.above}::uuid and s.message_id < ${query.below}::uuid
        ${threadId === null ? sql`` : isInThread}
        ${joinConditions(sql, joins, viewerId)}
    ), candidates as materialized (
      select message_id as candidate_id from hits order by message_id ${order} limit ${query.limit}
    )
    select c.candidate_id, ${messageColumns(sql)},
      (select name from message_files where id = m.file_id) as file_name,
      (
        select title from link_previews
        where url_hash = sha256(convert_to(m.preview_url, 'UTF8')) and not has_failed
      ) as preview_title,
      (select title from threads where message_id = m.id) as thread_title,
      m.image_id is not null as has_image, m.preview_url is not null as has_link,
      array(
        select user_id from message_mentions where ${query.readsMentions} and message_id = m.id
      ) as mention_ids
    from candidates c
    left join lateral (
      select * from messages
      where id = c.candidate_id and room_id in (select room_id from mine) and deleted_at is null
      limit 1
    ) m on true
    left join lateral (select * from users where id = m.author_id limit 1) u on true
    order by c.candidate_id ${order}`;
}

function joinConditions(sql: SqlClient, joins: WindowQuery["joins"], viewerId: string): Fragment {
  return joins.reduce(
    (before, { filter, isNegated }) => {
      const condition = JOINS[filter](sql, viewerId);
      return isNegated ? sql`${before} and not ${condition}` : sql`${before} and ${condition}`;
    },
    sql``,
  );
}

/** Days since 1970-01-01, first and last included. */
export type DaySpan = { first: number; last: number };

/** Length of the first window in days, and the growth factor of the following ones. */
const FIRST_DAYS = 2;
const GROWTH = 4;

/**
 * Divides a range of days into windows that are searched in sequence, starting with the newest (or
 * oldest). Each window is longer than the previous one. A search stops after the window that completes
 * its page.
 */
export function divideDays({ first, last }: DaySpan, sort: "newest" | "oldest"): DaySpan[] {
  const windows: DaySpan[] = [];
  let [from, to] = [first, last];
  for (let days = FIRST_DAYS; from <= to; days *= GROWTH) {
    if (sort === "newest") {
      windows.push({ first: Math.max(from, to - days + 1), last: to });
      to -= days;
    } else {
      windows.push({ first: from, last: Math.min(to, from + days - 1) });
      from += days;
    }
  }
  return windows;
}

/** Builds a `tsquery` for a range of days: months of 32 days, and single days at both ends. */
export function windowQuery({ first, last }: DaySpan): string {
  const tokens: string[] = [];
  for (let day = first; day <= last;) {
    if (day % DAYS_PER_MONTH === 0 && day + DAYS_PER_MONTH - 1 <= last) {
      tokens.push(monthToken(day / DAYS_PER_MONTH));
      day += DAYS_PER_MONTH;
    } else {
      tokens.push(dayToken(day));
      day += 1;
    }
  }
  return tokens.map(quoteToken).join(" | ");
}
