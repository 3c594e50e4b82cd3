import type { SqlClient } from "../database/connect.ts";
import { fileUrl, imageUrl } from "../uploads/models.ts";
import type { File, Image, LinkPreview, Message, Reaction } from "../wire/models.ts";

/** What a message shows of other tables. */
export type Embeds = Pick<
  Message,
  "image" | "file" | "reactions" | "preview_url" | "preview" | "mentions" | "room_references"
>;

/** The same as it was read, before it is cut to what a viewer may see. */
export type EmbedRow = {
  id: string;
  room_id: string;
  preview_url: string | null;
  image: (Omit<Image, "url"> & { sha256: string }) | null;
  file: Omit<File, "url"> | null;
  reactions: Omit<Reaction, "count">[] | null;
  mentions: Message["mentions"] | null;
  room_references: (Message["room_references"][number] & Reach)[] | null;
  preview: (Omit<LinkPreview, "image_url"> & { image_sha256: string | null }) | null;
};
/** Whether all know of a room that is named, or at least the viewer. */
type Reach = { is_open: boolean; is_viewers: boolean };

/**
 * All that messages embed, with one query for all of them; none for those that embed nothing.
 * @param viewerOf who is going to see a message: null for an envelope that all in the room share
 * @returns by the message's id
 */
export async function findEmbeds<Row extends { id: string; has_embeds: boolean }>(
  sql: SqlClient,
  rows: Row[],
  viewerOf: (row: Row) => string | null,
): Promise<Map<string, EmbedRow>> {
  const wanted = rows.filter((row) => row.has_embeds);
  if (wanted.length === 0) return new Map();
  const found = await sql<EmbedRow[]>`
    select m.id, m.room_id, m.preview_url, (
      select json_build_object('id', id, 'sha256', encode(sha256, 'hex'), 'width', width,
        'height', height, 'mime', mime, 'size_bytes', size_bytes, 'blurhash', blurhash)
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
    ) as preview
    from unnest(${wanted.map((row) => row.id)}::uuid[],
      ${wanted.map(viewerOf)}::uuid[]) as wanted(id, viewer_id)
    join messages m on m.id = wanted.id`;
  return new Map(found.map((row) => [row.id, row]));
}

/**
 * What a message embeds, as the viewer may see it.
 * @param row of `findEmbeds`; none for a message that embeds nothing
 * @param isShared for an envelope that all in the room share: it names open rooms only
 */
export function toEmbeds(row: EmbedRow | undefined, isShared: boolean): Embeds {
  if (!row) return NOTHING;
  const { image, file, reactions, preview_url, mentions, room_references, preview } = row;
  const roomId = row.room_id;
  return {
    image: image && toImage(roomId, image),
    file: file && { ...file, url: fileUrl(roomId, file.id) },
    reactions: (reactions ?? []).map((one) => ({ ...one, count: one.user_ids.length })),
    preview_url,
    preview: preview && toPreview(preview),
    mentions: mentions ?? [],
    room_references: (room_references ?? [])
      .filter(({ is_open, is_viewers }) => is_open || (is_viewers && !isShared))
      .map(({ room_id, name }) => ({ room_id, name })),
  };
}

/** Of most messages, and so the same for all. */
const NOTHING: Embeds = {
  image: null,
  file: null,
  reactions: [],
  preview_url: null,
  preview: null,
  mentions: [],
  room_references: [],
};

function toImage(roomId: string, { sha256, ...image }: NonNullable<EmbedRow["image"]>): Image {
  return { ...image, url: imageUrl(roomId, sha256) };
}

/** A picture's address is its own; another page's picture is served from here, as a small copy. */
function toPreview({ image_sha256, ...found }: NonNullable<EmbedRow["preview"]>): LinkPreview {
  const copy = image_sha256 && `/api/previews/${image_sha256}`;
  return { ...found, image_url: found.is_image ? found.url : copy };
}
