/**
 * Hand-written SQL: one message has many tables, which are read as one column of JSON, and only
 * where it has any.
 */
import type { UserFields } from "../accounts/users.ts";
import type { SqlClient } from "../database/connect.ts";
import type { File, Image, LinkPreview, Message, Reaction } from "../wire/models.ts";
import {
  REPLY_EMBED_COLUMNS,
  THREAD_EMBED_COLUMNS,
  type ThreadEmbedRow,
} from "./threads/embeds.ts";

/** What a message shows from other tables, before it is reduced to what a viewer may see. */
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
/** With limits, so that each table is read by its index; none is read after the first that has a row. */
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

/** What replies of one thread embed beside their root, null for one that embeds nothing else. */
export const REPLY_EMBEDS = { has: REPLY_EMBEDS_MORE, columns: EMBED_COLUMNS_OF_REPLIES };

/**
 * The column `embeds` of a message `m`; no table is read for a message that embeds nothing.
 * @param viewerId who will see it; null for the form that everyone in the room shares
 */
export const embedsFor = (
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

/** Everything that messages embed, each for the viewer at the same place. */
export function readEmbeds(sql: SqlClient, messageIds: string[], viewerIds: (string | null)[]) {
  return sql<EmbedRow[]>`
    select ${sql.unsafe(EMBED_COLUMNS)}
    from unnest(${messageIds}::uuid[], ${viewerIds}::uuid[]) as wanted(id, viewer_id)
    join messages m on m.id = wanted.id`;
}
