import { FILE_FIELDS, type FileRow, IMAGE_FIELDS, type ImageRow } from "../uploads/models.ts";
import { toUser, type UserFields, userFieldsJson } from "../users/users.ts";
import type {
  User,
  LinkPreview,
  Message,
  Quote,
  Reaction,
  ReplyRoot,
  Thread,
} from "../wire/models.ts";
import { sql } from "drizzle-orm";
import type { SqlClient, Transaction } from "../database/connect.ts";
import { deriveId } from "../platform/ids.ts";
import { Slices } from "../platform/concurrency/slices.ts";
import { QUOTE_EXCERPT_LENGTH, ROOT_EXCERPT_LENGTH } from "../wire/limits.ts";
import { makeExcerpt } from "../wire/markdown/plain.ts";

/** A message's author, and the name and icon under which an incoming webhook posted it. */
type AuthorRow = UserFields & { author_id: string; via_name: string | null };

/** The author that a message shows. A webhook's message never shows the webhook's creator. */
export function authorOf(roomId: string, row: AuthorRow): User {
  const { author_id, via_name, is_bot, is_active } = row;
  if (via_name !== null && !(is_bot && is_active)) return webhookAuthor(roomId, via_name);
  return toUser({ ...row, id: author_id });
}

/** The author shown for a webhook without a bot. Its id belongs to no account. */
function webhookAuthor(roomId: string, name: string): User {
  return {
    id: deriveId(`webhook ${roomId} ${name}`),
    username: "incoming-webhook",
    display_name: name,
    avatar_url: null,
    is_bot: true,
    is_active: true,
    profile_version: 0,
  };
}

/** SQL for the summary of a thread `t`. Its times are not in the API's format. */
export const THREAD_COLUMN = `json_build_object('title', t.title, 'reply_count', t.reply_count,
  'last_reply_seq', t.last_reply_seq, 'last_reply_at', t.last_reply_at,
  'author_ids', t.last_author_ids, 'is_resolved', t.resolved_at is not null)`;

/** SQL fields of a related message `x` and its author `a`. */
const OTHER = `'id', x.id, 'content', x.content, 'author_id', x.author_id, 'via_name', x.via_name,
  ${userFieldsJson("a")}`;
type OtherRow = AuthorRow & {
  id: string;
  content: string | null;
  /** Set by `addExcerpts`. */
  excerpt?: string | null;
};

/** The root of a thread, with the thread's summary. */
type RootRow = OtherRow & { thread: Thread | null };

type ThreadEmbedRow = {
  thread_id: string | null;
  quote_id: string | null;
  deleted_at: string | null;
  thread: Thread | null;
  root: RootRow | null;
  quoted: (OtherRow & { has_image: boolean; has_file: boolean; created_at: string }) | null;
};

const ROOT = `case when m.thread_id is not null then (
    select json_build_object(${OTHER},
      'thread', case when t.message_id is not null then ${THREAD_COLUMN} end)
    from messages x join users a on a.id = x.author_id left join threads t on t.message_id = x.id
    where x.id = m.thread_id
  ) end`;

export function toThreadFields(roomId: string, row: ThreadEmbedRow) {
  const { thread_id, quote_id, deleted_at, thread, root } = row;
  return {
    thread_id,
    thread: thread && toThread(thread),
    root: root && toRoot(roomId, root, root.thread),
    quote: quote_id === null ? null : toQuote(roomId, quote_id, row.quoted),
    deleted_at: deleted_at && toTime(deleted_at),
  };
}

/** @param row `THREAD_COLUMN` */
export function toThread(row: Thread): Thread {
  return { ...row, last_reply_at: toTime(row.last_reply_at) };
}

export function toRoot(roomId: string, row: OtherRow, thread: Thread | null): ReplyRoot {
  const { id, display_name, username, profile_version } = authorOf(roomId, row);
  return {
    id: row.id,
    author: { id, name: display_name ?? username, profile_version },
    title: thread?.title ?? null,
    excerpt: excerptOf(row, ROOT_EXCERPT_LENGTH),
  };
}

function toQuote(roomId: string, id: string, row: ThreadEmbedRow["quoted"]): Quote {
  if (!row) return { id, is_gone: true };
  const { has_image, has_file, created_at } = row;
  return {
    id,
    author: authorOf(roomId, row),
    excerpt: excerptOf(row, QUOTE_EXCERPT_LENGTH),
    has_image,
    has_file,
    created_at: toTime(created_at),
  };
}

const toTime = (time: string) => new Date(time).toISOString();

function excerptOf({ content, excerpt }: OtherRow, limit: number): string | null {
  return excerpt === undefined ? makeExcerpt(content, limit) : excerpt;
}

/**
 * Adds the excerpts that messages show, each computed once, since replies of a thread show the same root.
 * Yields to other work in between.
 */
export async function addExcerpts(rows: (ThreadEmbedRow | null)[]): Promise<void> {
  const excerpts = new Map<string, string | null>();
  const setExcerpt = (row: OtherRow | null, limit: number) => {
    if (row === null) return;
    const key = `${limit} ${row.id}`;
    const excerpt = excerpts.get(key);
    row.excerpt = excerpt === undefined ? makeExcerpt(row.content, limit) : excerpt;
    excerpts.set(key, row.excerpt);
  };
  const embeds = rows.filter((row) => row !== null);
  await new Slices().map(embeds, ({ root, quoted }) => {
    setExcerpt(root, ROOT_EXCERPT_LENGTH);
    setExcerpt(quoted, QUOTE_EXCERPT_LENGTH);
  });
}

/** Data from other tables that a message shows, before it is restricted to what a viewer may see. */
export type EmbedRow = {
  id: string;
  room_id: string;
  preview_url: string | null;
  group_id: string | null;
  pinned: PinRow | null;
  image: ImageRow | null;
  file: FileRow | null;
  reactions: Omit<Reaction, "count">[] | null;
  mentions: Message["mentions"] | null;
  broadcast: Message["broadcast"];
  room_references: (Message["room_references"][number] & Reach)[] | null;
  preview: (Omit<LinkPreview, "image_url"> & { image_sha256: string | null }) | null;
} & ThreadEmbedRow;
/** Who pinned a message and when; `by` is null for a webhook. */
type PinRow = { at: string; by: (UserFields & { id: string }) | null };
/** Whether everyone may see the room, and whether the viewer may. */
type Reach = { is_open: boolean; is_viewers: boolean };

/**
 * SQL columns of `EmbedRow` for a message `m` and the viewer `target.viewer_id`.
 * @param root the SQL of a reply's root
 */
const embedColumns = (root: string) => `m.id, m.room_id, m.preview_url, m.group_id, (
    select json_build_object('at', p.pinned_at, 'by', case when u.id is not null then
      json_build_object('id', u.id, ${userFieldsJson("u")}) end)
    from message_pins p left join users u on u.id = p.pinned_by where p.message_id = m.id
  ) as pinned, (
    select json_build_object(${IMAGE_FIELDS}, 'alt', m.image_alt)
    from message_images where id = m.image_id
  ) as image, (
    select json_build_object(${FILE_FIELDS})
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
        select from memberships where room_id = r.id and user_id = target.viewer_id
      )) order by r.name)
    from message_room_references x join rooms r on r.id = x.room_id where x.message_id = m.id
  ) as room_references, (
    select json_build_object('url', m.preview_url, 'title', title, 'description', description,
      'site_name', site_name, 'is_image', is_image, 'image_sha256', encode(image_sha256, 'hex'))
    from link_previews
    where url_hash = sha256(convert_to(m.preview_url, 'UTF8')) and not has_failed
  ) as preview, m.thread_id, m.quote_id, to_json(m.deleted_at) as deleted_at,
  case when m.thread_id is null then (
    select ${THREAD_COLUMN} from threads t where t.message_id = m.id
  ) end as thread, ${root} as root,
  case when m.quote_id is not null then (
    select json_build_object(${OTHER}, 'has_image', x.image_id is not null,
      'has_file', x.file_id is not null, 'created_at', x.created_at)
    from messages x join users a on a.id = x.author_id
    where x.id = m.quote_id and x.deleted_at is null
  ) end as quoted`;
const EMBED_COLUMNS = embedColumns(ROOT);
/** Where a message can have embeds besides a thread: columns of its row, and other tables. */
export const EMBEDDING_COLUMNS = [
  "image_id",
  "file_id",
  "preview_url",
  "group_id",
  "quote_id",
] as const;
const EMBEDDING_TABLES = [
  "message_reactions",
  "message_mentions",
  "message_broadcasts",
  "message_room_references",
  "message_pins",
];
const columns = EMBEDDING_COLUMNS.map((column) => `m.${column}`).join(", ");
/** Limited, so that each table is read by its index. Tables after the first one with a row are not read. */
const rows = EMBEDDING_TABLES.map(
  (table) => `(select true from ${table} where message_id = m.id limit 1)`,
).join(", ");

/** SQL condition that a message `m` has embeds besides a thread. */
const EMBEDS_MORE = `(num_nonnulls(${columns}) > 0 or coalesce(${rows}, false))`;

/** Updates `has_embeds` after something was added to or removed from a message. */
export async function updateHasEmbeds(tx: Transaction, messageId: string): Promise<void> {
  await tx.execute(sql`
    update messages m set has_embeds = m.thread_id is not null or m.deleted_at is not null
      or exists (select from threads where message_id = m.id) or ${sql.raw(EMBEDS_MORE)}
    where m.id = ${messageId}`);
}

/** Embeds of replies in one thread, besides their root, which is read once; null for a reply without any. */
export const REPLY_EMBEDS = { has: EMBEDS_MORE, columns: embedColumns("null::json") };

/**
 * SQL column `embeds` of a message `m`. Reads no table for a message without embeds.
 * @param viewerId the viewer; null for the form that everyone in the room shares
 */
export const embedsFor = (
  client: SqlClient,
  viewerId: string | null,
  { has, columns } = { has: "m.has_embeds", columns: EMBED_COLUMNS },
) => client`
  case when ${client.unsafe(has)} then (
    select row_to_json(e) from (
      select ${client.unsafe(columns)}
      from (select ${viewerId}::uuid as viewer_id) target
    ) e
  ) end as embeds`;

/** Reads the embeds of messages, each for the viewer at the same index. */
export function readEmbeds(client: SqlClient, messageIds: string[], viewerIds: (string | null)[]) {
  return client<EmbedRow[]>`
    select ${client.unsafe(EMBED_COLUMNS)}
    from unnest(${messageIds}::uuid[], ${viewerIds}::uuid[]) as target(id, viewer_id)
    join messages m on m.id = target.id`;
}
