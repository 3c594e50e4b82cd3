import { avatarUrl } from "../accounts/users.ts";
import type { SqlClient } from "../database/connect.ts";
import type { Message } from "../wire/models.ts";
import { type EmbedRow, findEmbeds, toEmbeds } from "./embeds.ts";

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

/** The columns of `MessageRow`, for a query over `messages m` joined with `users u`. */
export const messageColumns = (sql: SqlClient) => sql`
  m.id, m.room_id, m.seq, m.content, m.client_id, m.created_at, m.edited_at, m.has_embeds,
  m.via_name, m.via_icon_emoji,
  m.author_id, u.username, u.display_name, u.avatar_version, u.is_bot, u.is_active`;

/**
 * A message as the viewer may see it.
 * @param viewerId null for an envelope that all in the room share
 * @param embeds what it embeds, read for this viewer
 */
export function toMessage(
  row: MessageRow,
  viewerId: string | null,
  embeds: EmbedRow | undefined,
): Message {
  const { image, file, reactions, preview_url, preview, mentions, room_references } = toEmbeds(
    embeds,
    viewerId === null,
  );
  return {
    id: row.id,
    room_id: row.room_id,
    seq: row.seq,
    author: authorOf(row),
    content: row.content,
    image,
    file,
    reactions,
    preview_url,
    preview,
    mentions,
    room_references,
    created_at: row.created_at.toISOString(),
    edited_at: row.edited_at?.toISOString() ?? null,
    via: viaOf(row),
    client_id: row.author_id === viewerId ? row.client_id : null,
  };
}

/** The account that wrote a message. What a webhook posts is never a person's. */
function authorOf(row: MessageRow): Message["author"] {
  const { author_id, via_name, username, display_name, is_bot, is_active } = row;
  if (via_name !== null && !(is_bot && is_active)) return webhookAuthor(row.room_id, via_name);
  const avatar_url = avatarUrl(author_id, row.avatar_version);
  return { id: author_id, username, display_name, avatar_url, is_bot, is_active };
}

/** The author that stands for a webhook without a bot; its id is that of no account. */
function webhookAuthor(roomId: string, name: string): Message["author"] {
  const hash = new Bun.CryptoHasher("sha256").update(`webhook ${roomId} ${name}`).digest("hex");
  // UUIDv8 (RFC 9562, 5.8): the same for the same name in a room.
  const id = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
  const shown = { username: "incoming-webhook", display_name: name, avatar_url: null };
  return { id, ...shown, is_bot: true, is_active: true };
}

function viaOf({ via_name, via_icon_emoji }: MessageRow): Message["via"] {
  return via_name === null
    ? null
    : { kind: "incoming_webhook", name: via_name, icon_emoji: via_icon_emoji };
}

/** Messages as the viewer may see them, with all that they embed. */
export async function toMessages(
  sql: SqlClient,
  rows: MessageRow[],
  viewerId: string | null,
): Promise<Message[]> {
  const embeds = await findEmbeds(sql, rows, () => viewerId);
  return rows.map((row) => toMessage(row, viewerId, embeds.get(row.id)));
}

/** Messages by id, in no order; those that are gone are left out. */
export async function findMessages(sql: SqlClient, ids: string[]): Promise<MessageRow[]> {
  if (ids.length === 0) return [];
  return sql<MessageRow[]>`
    select ${messageColumns(sql)} from messages m join users u on u.id = m.author_id
    where m.id = any(${ids}::uuid[])`;
}
