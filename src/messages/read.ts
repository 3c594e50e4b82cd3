import type { SqlClient } from "../database/connect.ts";
import { toFile, toImage } from "../uploads/models.ts";
import { toUser, type UserFields, userFields } from "../users/users.ts";
import type { LinkPreview, Message, Thread, User } from "../wire/models.ts";
import {
  authorOf,
  type EmbedRow,
  embedsFor,
  addExcerpts,
  readEmbeds,
  toThread,
  toThreadFields,
} from "./embeds.ts";
import { type Caller, mayReadMessages } from "../routing/actor.ts";

/** The columns from which a message is built, including its author's. */
export type MessageRow = UserFields & {
  id: string;
  room_id: string;
  seq: number;
  content: string | null;
  client_id: string | null;
  created_at: Date;
  edited_at: Date | null;
  /** The name shown for an incoming webhook; null for a message by its author. */
  via_name: string | null;
  via_icon_emoji: string | null;
  has_embeds: boolean;
  author_id: string;
};

/** SQL columns of `MessageRow` for a message `m` and its author `u`. */
export const messageColumns = (sql: SqlClient) => sql`
  m.id, m.room_id, m.seq, m.content, m.client_id, m.created_at, m.edited_at, m.has_embeds,
  m.via_name, m.via_icon_emoji,
  m.author_id, ${sql.unsafe(userFields("u"))}`;

/** A message with its embeds; null if it has none. */
export type EmbeddingRow = MessageRow & { embeds: EmbedRow | null };

/**
 * Reads messages by id, in any order; skips those that no longer exist.
 * @param viewerId the viewer; null for the form that everyone in the room shares
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
  await addExcerpts(rows.map(({ embeds }) => embeds));
  return rows;
}

/** Reads messages as the viewer may see them, by id; leaves out those that no longer exist. */
export async function readViewersMessages(
  sql: SqlClient,
  ids: string[],
  viewerId: string,
): Promise<Map<string, Message>> {
  const rows = await readMessages(sql, ids, viewerId);
  return new Map(rows.map((row) => [row.id, toViewersMessage(row, viewerId)]));
}

/**
 * Reads the embeds of messages by id with one query, or none if there are no embeds.
 * @param viewerOf the viewer of each message; null for the form that everyone in the room shares
 */
export async function readEmbedsById<Row extends { id: string; has_embeds: boolean }>(
  sql: SqlClient,
  rows: Row[],
  viewerOf: (row: Row) => string | null,
): Promise<Map<string, EmbedRow>> {
  const rowsWithEmbeds = rows.filter((row) => row.has_embeds);
  if (rowsWithEmbeds.length === 0) return new Map();
  const ids = rowsWithEmbeds.map((row) => row.id);
  const embeds = await readEmbeds(sql, ids, rowsWithEmbeds.map(viewerOf));
  await addExcerpts(embeds);
  return new Map(embeds.map((row) => [row.id, row]));
}

/**
 * Builds a message as the viewer may see it; null for the form that everyone in the room shares.
 * @param row read for this viewer
 */
export function toViewersMessage(row: EmbeddingRow, viewerId: string | null): Message {
  const embeds = row.embeds ?? undefined;
  const message = toPublicMessage(row, embeds);
  return viewerId === null ? message : addViewerFields(message, row, viewerId, embeds);
}

/**
 * Builds a message as everyone in its room may see it: it references only open rooms, and has no
 * `client_id`.
 */
export function toPublicMessage(row: MessageRow, embeds: EmbedRow | undefined): Message {
  const author = authorOf(row.room_id, row);
  const sharedEmbeds = embeds ? toSharedEmbeds(row.room_id, embeds, author) : NO_EMBEDS;
  return {
    id: row.id,
    room_id: row.room_id,
    seq: row.seq,
    author,
    content: row.content,
    // Listed, because a spread is several times slower.
    image: sharedEmbeds.image,
    file: sharedEmbeds.file,
    reactions: sharedEmbeds.reactions,
    preview_url: sharedEmbeds.preview_url,
    preview: sharedEmbeds.preview,
    mentions: sharedEmbeds.mentions,
    broadcast: sharedEmbeds.broadcast,
    room_references: sharedEmbeds.room_references,
    group_id: sharedEmbeds.group_id,
    pinned: sharedEmbeds.pinned,
    thread_id: sharedEmbeds.thread_id,
    thread: sharedEmbeds.thread,
    root: sharedEmbeds.root,
    quote: sharedEmbeds.quote,
    created_at: row.created_at.toISOString(),
    edited_at: row.edited_at?.toISOString() ?? null,
    deleted_at: sharedEmbeds.deleted_at,
    via:
      row.via_name === null
        ? null
        : { kind: "incoming_webhook", name: row.via_name, icon_emoji: row.via_icon_emoji },
    client_id: null,
  };
}

/** Shared by all messages without embeds. */
const NO_EMBEDS: ReturnType<typeof toSharedEmbeds> = {
  image: null,
  file: null,
  reactions: [],
  preview_url: null,
  preview: null,
  mentions: [],
  broadcast: null,
  room_references: [],
  group_id: null,
  pinned: null,
  thread_id: null,
  thread: null,
  root: null,
  quote: null,
  deleted_at: null,
};

function toSharedEmbeds(roomId: string, embeds: EmbedRow, author: User) {
  const { image, file, reactions, preview_url, preview, mentions, broadcast, pinned } = embeds;
  return {
    image: image && toImage(roomId, image),
    file: file && toFile(roomId, file),
    reactions: (reactions ?? []).map((reaction) => ({
      ...reaction,
      count: reaction.user_ids.length,
    })),
    preview_url,
    preview: preview && toPreview(preview),
    mentions: mentions ?? [],
    broadcast,
    room_references: referencesOf(embeds, false),
    group_id: embeds.group_id,
    // A message pinned by a webhook shows its author as the person who pinned it.
    pinned: pinned && {
      by: pinned.by ? toUser(pinned.by) : author,
      at: new Date(pinned.at).toISOString(),
    },
    ...toThreadFields(roomId, embeds),
  };
}

/** The thread that a reply's event carries; nothing for other messages. */
export function rootThreadOf(embeds: EmbedRow | null | undefined): { root_thread?: Thread | null } {
  if (!embeds?.thread_id) return {};
  const thread = embeds.root?.thread ?? null;
  return { root_thread: thread && toThread(thread) };
}

/**
 * Adds the data that only the viewer may see: references to private rooms that the viewer is in, and
 * the author's own `client_id`.
 * @param embeds read for this viewer
 */
export function addViewerFields(
  message: Message,
  row: MessageRow,
  viewerId: string,
  embeds: EmbedRow | undefined,
): Message {
  const client_id = row.author_id === viewerId ? row.client_id : null;
  if (!embeds?.room_references) return client_id === null ? message : { ...message, client_id };
  return { ...message, room_references: referencesOf(embeds, true), client_id };
}

function referencesOf(embeds: EmbedRow, isViewers: boolean) {
  return (embeds.room_references ?? [])
    .filter(({ is_open, is_viewers }) => is_open || (is_viewers && isViewers))
    .map(({ room_id, name }) => ({ room_id, name }));
}

/** A linked image is loaded from its own URL, a page's image from this service as a thumbnail. */
function toPreview({ image_sha256, ...preview }: NonNullable<EmbedRow["preview"]>): LinkPreview {
  const copy = image_sha256 && `/api/previews/${image_sha256}`;
  return { ...preview, image_url: preview.is_image ? preview.url : copy };
}

/**
 * Builds a message for a response to its caller. For a token without `read:messages`, the content is
 * included only if its own bot wrote it.
 */
export function toCallersMessage(caller: Caller, message: Message): Message {
  if (mayReadMessages(caller)) return message;
  const { root, quote, thread } = message;
  // A webhook's message under the bot's name was written by an external program.
  const isOwn = message.author.id === caller.id && message.via === null;
  return {
    ...message,
    ...(isOwn ? {} : NO_CONTENT),
    thread: thread && toCallersThread(caller, thread),
    root: root && { ...root, title: null, excerpt: null },
    quote: quote && ("is_gone" in quote ? quote : { ...quote, excerpt: null }),
  };
}

/** Builds a thread for a response to its caller. Its title counts as content. */
export function toCallersThread(caller: Caller, thread: Thread): Thread {
  return mayReadMessages(caller) ? thread : { ...thread, title: null };
}

/** File names and alternative texts of images are content as well. */
const NO_CONTENT = {
  content: null,
  image: null,
  file: null,
  preview_url: null,
  preview: null,
  mentions: [],
  room_references: [],
};
