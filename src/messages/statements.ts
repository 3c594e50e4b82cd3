/**
 * Hand-written SQL, because drizzle has no lateral joins or recursion, and because pages of history
 * are the most frequent reads (`bench/history.ts`).
 */
import type { SqlClient } from "../database/connect.ts";
import type { SeatRow } from "../rooms/statements.ts";
import { type EmbedRow, embedsFor, REPLY_EMBEDS } from "./embed-statements.ts";
import { prepareExcerpts } from "./threads/embeds.ts";

/** What a message is built from: its row with its author's. */
export type MessageRow = {
  id: string;
  room_id: string;
  seq: number;
  content: string | null;
  client_id: string | null;
  created_at: Date;
  edited_at: Date | null;
  /** What an incoming webhook goes by; null for what its author wrote. */
  via_name: string | null;
  via_icon_emoji: string | null;
  /** Whether anything in another table belongs to it. */
  has_embeds: boolean;
  author_id: string;
  username: string;
  display_name: string | null;
  avatar_version: string | null;
  is_bot: boolean;
  is_active: boolean;
};

/** The columns of `MessageRow`, of a message `m` and its author `u`. */
export const messageColumns = (sql: SqlClient) => sql`
  m.id, m.room_id, m.seq, m.content, m.client_id, m.created_at, m.edited_at, m.has_embeds,
  m.via_name, m.via_icon_emoji,
  m.author_id, u.username, u.display_name, u.avatar_version, u.is_bot, u.is_active`;

/** A message with what it embeds, null if that is nothing. */
export type EmbeddingRow = MessageRow & { embeds: EmbedRow | null };

/**
 * Messages by id, in no order; those that no longer exist are left out.
 * @param viewerId who will see them; null for the form that everyone in the room shares
 */
export async function readMessages(
  sql: SqlClient,
  ids: string[],
  viewerId: string | null = null,
): Promise<EmbeddingRow[]> {
  if (ids.length === 0) return [];
  const rows = await sql<EmbeddingRow[]>`
    select ${messageColumns(sql)}, ${embedsFor(sql, viewerId)}
    from messages m join users u on u.id = m.author_id
    where m.id = any(${ids}::uuid[])`;
  await prepareExcerpts(rows.map(({ embeds }) => embeds));
  return rows;
}

/**
 * The seats of viewers in the rooms of messages, in their order.
 * @param nowhere a room that does not exist: where a message that does not exist is looked for
 */
export async function readPlaces(
  sql: SqlClient,
  places: { userId: string; messageId: string }[],
  nowhere: string,
): Promise<SeatRow[]> {
  return sql<SeatRow[]>`
    select r.kind, r.privacy, r.last_seq, r.is_archived, r.is_closed, r.member_count,
      r.members_version, s.role,
      (select version from people_version) as people_version
    from (
      select n, user_id, coalesce(
        (select room_id from messages where id = asked.message_id limit 1), ${nowhere}
      ) as room_id
      from unnest(
        ${places.map(({ userId }) => userId)}::uuid[],
        ${places.map(({ messageId }) => messageId)}::uuid[]
      ) with ordinality as asked(user_id, message_id, n)
      offset 0
    ) place
    left join lateral (
      select kind, privacy, last_seq, is_archived, is_closed, member_count, members_version from rooms
      where id = place.room_id limit 1
    ) r on true
    left join lateral (
      select role from memberships
      where room_id = place.room_id and user_id = place.user_id limit 1
    ) s on true
    order by n`;
}

/** Where a page of a room's history begins: at a message, or at a number of the room's log. */
export type Anchor = { id: string } | { seq: number };
/** A page of a room's history, or of the replies of one thread, as a viewer may see it. */
type PageKey = {
  roomId: string;
  viewerId: string;
  threadId?: string;
  /** Without replies. */
  isTop?: boolean;
  anchor: Anchor;
  limit: number;
};
/** A message of a page, nulls where the page is empty; there is no row where there is no such anchor. */
type PageRow = EmbeddingRow | { id: null };

/** The number of the anchor; null where the room or the thread, with its root, has no such message. */
const anchorSeq = (sql: SqlClient, { roomId, threadId, anchor }: PageKey) => sql`
  coalesce(${"seq" in anchor ? anchor.seq : null}::bigint, (
    select seq from messages where id = ${"id" in anchor ? anchor.id : null} and room_id = ${roomId}
      ${threadId === undefined ? sql`` : sql`and (thread_id = ${threadId} or id = ${threadId})`}
  ))`;

/** A page of replies shows their root once. */
const embedsOnPage = ({ threadId }: PageKey) => (threadId === undefined ? undefined : REPLY_EMBEDS);

/** The messages that a page is of. */
const isOnPage = (sql: SqlClient, { roomId, threadId, isTop }: PageKey) =>
  threadId === undefined
    ? sql`room_id = ${roomId} ${isTop ? sql`and thread_id is null` : sql``}`
    : sql`thread_id = ${threadId}`;

/** A room's messages before an anchor, or up to it, the newest first. */
export function readMessagesBefore(sql: SqlClient, key: PageKey & { isIncluded?: boolean }) {
  const { viewerId, limit, isIncluded = false } = key;
  return sql<PageRow[]>`
    select ${messageColumns(sql)}, ${embedsFor(sql, viewerId, embedsOnPage(key))}
    from (select ${anchorSeq(sql, key)} + ${isIncluded ? 1 : 0} as seq) anchor
    left join lateral (
      select * from messages where ${isOnPage(sql, key)} and seq < anchor.seq
      order by seq desc limit ${limit}
    ) m on true
    left join lateral (select * from users where id = m.author_id limit 1) u on true
    where anchor.seq is not null
    order by m.seq desc`;
}

/** A room's messages after an anchor, the oldest first. */
export function readMessagesAfter(sql: SqlClient, key: PageKey) {
  const { viewerId, limit } = key;
  return sql<PageRow[]>`
    select ${messageColumns(sql)}, ${embedsFor(sql, viewerId, embedsOnPage(key))}
    from (select ${anchorSeq(sql, key)} as seq) anchor
    left join lateral (
      select * from messages where ${isOnPage(sql, key)} and seq > anchor.seq
      order by seq limit ${limit}
    ) m on true
    left join lateral (select * from users where id = m.author_id limit 1) u on true
    where anchor.seq is not null
    order by m.seq`;
}

/**
 * The number of the first message of a room at or after a time; null if all are older.
 *
 * Times grow with the room's numbers, since both are assigned under its lock. So the number is found by
 * binary search: each step is one read of the index of room and number, twenty for a million messages,
 * and posting pays for no index on times. If a clock was set back, a neighbour may be found instead.
 * @param lastSeq the last number of the room's log
 */
export async function readSeqAt(
  sql: SqlClient,
  roomId: string,
  at: Date,
  lastSeq: number,
): Promise<number | null> {
  const [row] = await sql<{ seq: number }[]>`
    with recursive range(low, high) as (
      select 1::bigint, ${lastSeq}::bigint + 1
      union all
      select case when probe.is_before then probe.seq + 1 else low end,
        case when probe.is_before then high else (low + high) / 2 end
      from range left join lateral (
        select m.seq, m.created_at < ${at} as is_before from messages m
        where m.room_id = ${roomId} and m.seq >= (range.low + range.high) / 2
        order by m.seq limit 1
      ) probe on true
      where low < high
    )
    select m.seq from messages m
    where m.room_id = ${roomId} and m.seq >= (select low from range where low >= high)
    order by m.seq limit 1`;
  return row?.seq ?? null;
}
