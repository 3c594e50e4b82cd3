/**
 * By hand, because drizzle has no `unnest`, `lateral` or recursion, and because pages of history and
 * the log's catch-up are the most frequent reads (`bench/history.ts`, `bench/restart.ts`).
 */
import type { UserFields } from "../accounts/users.ts";
import type { SqlClient } from "../database/connect.ts";
import type { Span } from "../feed/feed.ts";
import type { RoomEventType } from "../wire/events.ts";
import type { File, Image, LinkPreview, Message, Reaction } from "../wire/models.ts";
import {
  REPLY_EMBED_COLUMNS,
  THREAD_EMBED_COLUMNS,
  type ThreadEmbedRow,
} from "./threads/embeds.ts";

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

/** The column `embeds` of a message `m`; no table is read for a message that embeds nothing. */
const embedsFor = (
  sql: SqlClient,
  viewerId: string | null,
  { has, columns } = { has: "m.has_embeds", columns: EMBED_COLUMNS },
) => sql`
  case when ${sql.unsafe(has)} then (
    select row_to_json(e) from (
      select ${sql.unsafe(columns)}
      from (select ${viewerId}::uuid as viewer_id) wanted
    ) e
  ) end as embeds`;

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
  return sql<EmbeddingRow[]>`
    select ${messageColumns(sql)}, ${embedsFor(sql, viewerId)}
    from messages m join users u on u.id = m.author_id
    where m.id = any(${ids}::uuid[])`;
}

/** @returns null if there is no such message */
export async function readRoomOfMessage(sql: SqlClient, id: string): Promise<string | null> {
  const [row] = await sql<{ room_id: string }[]>`select room_id from messages where id = ${id}`;
  return row?.room_id ?? null;
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

/** What replies of one thread embed beside their root, null for one that embeds nothing else. */
const embedsOnPage = ({ threadId }: PageKey) =>
  threadId === undefined
    ? undefined
    : { has: REPLY_EMBEDS_MORE, columns: EMBED_COLUMNS_OF_REPLIES };

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

/** What a message shows of other tables, before it is reduced to what a viewer may see. */
export type EmbedRow = {
  id: string;
  room_id: string;
  preview_url: string | null;
  group_id: string | null;
  pinned: PinRow | null;
  image: (Omit<Image, "url"> & { sha256: string }) | null;
  file: Omit<File, "url"> | null;
  reactions: Omit<Reaction, "count">[] | null;
  mentions: Message["mentions"] | null;
  broadcast: Message["broadcast"];
  room_references: (Message["room_references"][number] & Reach)[] | null;
  preview: (Omit<LinkPreview, "image_url"> & { image_sha256: string | null }) | null;
} & ThreadEmbedRow;
/** Who pinned a message and when; nobody where a webhook did. */
export type PinRow = { at: string; by: (UserFields & { id: string }) | null };
/** Whether everyone may know of the room, or at least the viewer. */
type Reach = { is_open: boolean; is_viewers: boolean };

/** Columns of `EmbedRow`, of a message `m` for the viewer `wanted.viewer_id`. */
const embedColumns = (thread: string) => `m.id, m.room_id, m.preview_url, m.group_id, (
    select json_build_object('at', p.pinned_at, 'by', case when u.id is not null then
      json_build_object('id', u.id, 'username', u.username, 'display_name', u.display_name,
        'avatar_version', u.avatar_version, 'is_bot', u.is_bot, 'is_active', u.is_active) end)
    from message_pins p left join users u on u.id = p.pinned_by where p.message_id = m.id
  ) as pinned, (
    select json_build_object('id', id, 'sha256', encode(sha256, 'hex'), 'width', width,
      'height', height, 'mime', mime, 'size_bytes', size_bytes, 'blurhash', blurhash, 'alt', m.image_alt)
    from message_images where id = m.image_id
  ) as image, (
    select json_build_object('id', id, 'name', name, 'mime', mime, 'size_bytes', size_bytes)
    from message_files where id = m.file_id
  ) as file, (
    select json_agg(json_build_object('emoji', emoji, 'user_ids', user_ids) order by first, emoji)
    from (
      select emoji, min(created_at) as first, array_agg(user_id order by created_at, user_id) as user_ids
      from message_reactions where message_id = m.id group by emoji
    ) by_emoji
  ) as reactions, (
    select json_agg(json_build_object('user_id', u.id, 'username', u.username) order by u.username)
    from message_mentions x join users u on u.id = x.user_id where x.message_id = m.id
  ) as mentions, (
    select kind from message_broadcasts where message_id = m.id
  ) as broadcast, (
    select json_agg(json_build_object('room_id', r.id, 'name', r.name,
      'is_open', r.privacy = 'open', 'is_viewers', exists (
        select from memberships where room_id = r.id and user_id = wanted.viewer_id
      )) order by r.name)
    from message_room_references x join rooms r on r.id = x.room_id where x.message_id = m.id
  ) as room_references, (
    select json_build_object('url', m.preview_url, 'title', title, 'description', description,
      'site_name', site_name, 'is_image', is_image, 'image_sha256', encode(image_sha256, 'hex'))
    from link_previews
    where url_hash = sha256(convert_to(m.preview_url, 'UTF8')) and not has_failed
  ) as preview, ${thread}`;
const EMBED_COLUMNS = embedColumns(THREAD_EMBED_COLUMNS);
const EMBED_COLUMNS_OF_REPLIES = embedColumns(REPLY_EMBED_COLUMNS);
/** Limits: each table is asked by its index, and none after the first that has something. */
const REPLY_EMBEDS_MORE = `(num_nonnulls(m.image_id, m.file_id, m.preview_url, m.group_id, m.quote_id) > 0
  or coalesce(${[
    "message_reactions",
    "message_mentions",
    "message_broadcasts",
    "message_room_references",
    "message_pins",
  ]
    .map((table) => `(select true from ${table} where message_id = m.id limit 1)`)
    .join(", ")}, false))`;

/** Everything that messages embed, each for the viewer at the same place. */
export function readEmbeds(sql: SqlClient, messageIds: string[], viewerIds: (string | null)[]) {
  return sql<EmbedRow[]>`
    select ${sql.unsafe(EMBED_COLUMNS)}
    from unnest(${messageIds}::uuid[], ${viewerIds}::uuid[]) as wanted(id, viewer_id)
    join messages m on m.id = wanted.id`;
}

/** A row of a room's log. */
export type LogRow = {
  log_room_id: string;
  log_seq: number;
  /** A newer version may have written types that are not known here. */
  type: RoomEventType;
  message_id: string | null;
  user_id: string | null;
  actor_id: string | null;
};

/** A row of a log with its message, whose columns are null where there is none. */
type LogEntryRow = LogRow & (EmbeddingRow | { id: null });

/**
 * Rows of rooms' logs after a number of each, each room's oldest first, up to a limit for each, with
 * messages in the form that everyone in the room shares.
 */
export function readLog(sql: SqlClient, spans: Span[], limit: number) {
  return sql<LogEntryRow[]>`
    select l.room_id as log_room_id, l.seq as log_seq, l.type, l.message_id, l.user_id, l.actor_id,
      ${messageColumns(sql)}, ${embedsFor(sql, null)}
    from unnest(
      ${spans.map((span) => span.roomId)}::uuid[], ${spans.map((span) => span.after)}::bigint[]
    ) as span(room_id, after)
    cross join lateral (
      select room_id, seq, type, message_id, user_id, actor_id from room_log
      where room_id = span.room_id and seq > span.after order by seq limit ${limit}
    ) l
    left join lateral (select * from messages where id = l.message_id limit 1) m on true
    left join lateral (select * from users where id = m.author_id limit 1) u on true
    order by l.room_id, l.seq`;
}
