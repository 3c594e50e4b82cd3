import { LRUCache } from "lru-cache";
import { Slices } from "../../platform/slices.ts";
import { QUOTE_EXCERPT_LENGTH, ROOT_EXCERPT_LENGTH } from "../../wire/limits.ts";
import { cutForExcerpt, makeExcerpt } from "../../wire/markdown/excerpt.ts";
import type { Message, Quote, ReplyRoot, Thread } from "../../wire/models.ts";
import { type AuthorRow, authorOf } from "../author.ts";

/** What messages show of their thread and of what they quote, in a query with the message `m`. */

/** SQL: the summary of a thread of the row `threads t`. Its time has another form than on the wire. */
const THREAD_COLUMN = `json_build_object('title', t.title, 'reply_count', t.reply_count,
  'last_reply_seq', t.last_reply_seq, 'last_reply_at', t.last_reply_at,
  'author_ids', t.last_author_ids, 'is_resolved', t.resolved_at is not null)`;

/** A message `x` of another row, and its author `a`. */
const OTHER = `'id', x.id, 'content', x.content, 'author_id', x.author_id, 'via_name', x.via_name,
  'username', a.username, 'display_name', a.display_name, 'avatar_version', a.avatar_version,
  'is_bot', a.is_bot, 'is_active', a.is_active`;
type OtherRow = AuthorRow & { id: string; content: string | null };

/** The root of a thread, with the thread. */
export type RootRow = OtherRow & { thread: Thread | null };

/** SQL: a `RootRow` of the message `x`, its author `a` and the thread `t`. */
export const ROOT_COLUMN = `json_build_object(${OTHER}, 'thread', ${THREAD_COLUMN})`;

/** Columns of an `EmbedRow`. */
export type ThreadEmbedRow = {
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

/** @param root of a reply: null where all replies have the same, which is read once */
const threadEmbedColumns = (root: string) => `m.thread_id, m.quote_id,
  to_json(m.deleted_at) as deleted_at,
  case when m.thread_id is null then (
    select ${THREAD_COLUMN} from threads t where t.message_id = m.id
  ) end as thread, ${root} as root,
  case when m.quote_id is not null then (
    select json_build_object(${OTHER}, 'has_image', x.image_id is not null,
      'has_file', x.file_id is not null, 'created_at', x.created_at)
    from messages x join users a on a.id = x.author_id
    where x.id = m.quote_id and x.deleted_at is null
  ) end as quoted`;

export const THREAD_EMBED_COLUMNS = threadEmbedColumns(ROOT);
export const REPLY_EMBED_COLUMNS = threadEmbedColumns("null::json");

/** The parts of a reply that embeds nothing else. */
export function replyEmbeds({ id, room_id }: { id: string; room_id: string }, root: RootRow) {
  return { ...NOTHING, id, room_id, thread_id: root.id, root };
}

const NOTHING = {
  ...{
    preview_url: null,
    group_id: null,
    image: null,
    file: null,
    reactions: null,
    mentions: null,
  },
  ...{ broadcast: null, room_references: null, preview: null, pinned: null },
  ...{ quote_id: null, deleted_at: null, thread: null, quoted: null },
};

type ThreadParts = Pick<Message, "thread_id" | "thread" | "root" | "quote" | "deleted_at">;

/** The parts of a message that is in no thread and quotes nothing. */
export const NO_THREAD_PARTS: ThreadParts = {
  thread_id: null,
  thread: null,
  root: null,
  quote: null,
  deleted_at: null,
};

/** What a message shows of threads and quotes. */
export function toThreadParts(roomId: string, row: ThreadEmbedRow): ThreadParts {
  const { thread_id, quote_id, deleted_at, thread, root } = row;
  return {
    thread_id,
    thread: toThread(thread),
    root: root && toRoot(roomId, root, root.thread),
    quote: quote_id === null ? null : toQuote(roomId, quote_id, row.quoted),
    deleted_at: deleted_at && toTime(deleted_at),
  };
}

/** @param row `THREAD_COLUMN`; null where there is no thread */
export function toThread(row: Thread | null): Thread | null {
  return row && { ...row, last_reply_at: toTime(row.last_reply_at) };
}

/** A root as its replies show it. */
export function toRoot(roomId: string, row: OtherRow, thread: Thread | null): ReplyRoot {
  const { id, display_name, username } = authorOf(roomId, row);
  return {
    id: row.id,
    author: { id, name: display_name ?? username },
    title: thread?.title ?? null,
    excerpt: excerptOf(row.content, ROOT_EXCERPT_LENGTH),
  };
}

function toQuote(roomId: string, id: string, row: ThreadEmbedRow["quoted"]): Quote {
  if (!row) return { id, is_gone: true };
  const { has_image, has_file, created_at } = row;
  return {
    id,
    author: authorOf(roomId, row),
    excerpt: excerptOf(row.content, QUOTE_EXCERPT_LENGTH),
    has_image,
    has_file,
    created_at: toTime(created_at),
  };
}

const toTime = (time: string) => new Date(time).toISOString();

/** Replies of one thread show the same root: its text is parsed once. */
const excerpts = new LRUCache<string, string>({ max: 1_000, maxSize: 4 * 1024 ** 2 });

function excerptOf(content: string | null, limit: number): string | null {
  if (content === null) return null;
  const source = cutForExcerpt(content, limit);
  const key = `${limit} ${source}`;
  const cached = excerpts.get(key);
  if (cached !== undefined) return cached || null;
  const excerpt = makeExcerpt(source, limit);
  excerpts.set(key, excerpt ?? "", { size: key.length + (excerpt?.length ?? 0) + 1 });
  return excerpt;
}

/** Makes the excerpts of many messages, so that others have their turn in between. */
export async function prepareExcerpts(rows: (ThreadEmbedRow | null)[]): Promise<void> {
  const showing = rows.filter((row) => row !== null && (row.root !== null || row.quoted !== null));
  await new Slices().map(showing, (row) => {
    excerptOf(row?.root?.content ?? null, ROOT_EXCERPT_LENGTH);
    excerptOf(row?.quoted?.content ?? null, QUOTE_EXCERPT_LENGTH);
  });
}
