import { LRUCache } from "lru-cache";
import type { Draft } from "../draft.ts";
import type { RootRow } from "./embeds.ts";

/** Batches whose replies all go on in threads that their authors follow: `continuation` writes them. */

/** What is used here of a row that was written. */
type Row = {
  seq: number | null;
  created_at: Date;
  thread_id?: string | null;
  thread_texts?: (string | null)[][] | null;
  refused: { begins?: boolean } | null;
};

/** The threads of a batch that `continuation` has written, by their ids. */
export function readContinued(rows: Row[]): Map<string, RootRow> {
  const last = new Map<string, Row>();
  for (const row of rows) {
    if (!row.thread_id || row.seq === null) continue;
    if ((last.get(row.thread_id)?.seq ?? 0) < row.seq) last.set(row.thread_id, row);
  }
  const roots = (rows[0]?.thread_texts ?? []).flatMap((texts) => {
    const [id, content, author_id, via_name, ...more] = texts;
    const [username, display_name, avatar_version, is_bot, is_active, title, count, authors] = more;
    const newest = last.get(id ?? "");
    if (!id || !author_id || !username || !newest) return [];
    const thread = {
      title: title ?? null,
      reply_count: Number(count),
      last_reply_seq: newest.seq ?? 0,
      last_reply_at: newest.created_at.toISOString(),
      author_ids: (authors ?? "").split(" "),
      is_resolved: false,
    };
    return {
      ...{ id, content: content ?? null, author_id, via_name: via_name ?? null, username },
      ...{ display_name: display_name ?? null, avatar_version: avatar_version ?? null },
      ...{ is_bot: is_bot === "true", is_active: is_active === "true", thread },
    };
  });
  return new Map(roots.map((root) => [root.id, root]));
}

const MAX_KNOWN = 10_000;

/**
 * Remembers who has replied in which thread through this process, and so follows it. Where that has
 * changed elsewhere, the statement finds it out.
 */
const known = new LRUCache<string, true>({ max: MAX_KNOWN });

const keyOf = (userId: string, threadId: string) => `${userId} ${threadId}`;

/**
 * Whether the batch has replies, each in a thread that its author is known to follow, and how often it
 * has a thread.
 */
export function howOften(drafts: Draft[]): "once" | "often" | undefined {
  const threads = new Set<string>();
  let count = 0;
  for (const { author_id, reply_to_id, via_name, usernames } of drafts) {
    if (reply_to_id === null) continue;
    // People whom a reply mentions follow the thread from now on, too.
    if (via_name !== null || usernames.length > 0) return undefined;
    if (!known.has(keyOf(author_id, reply_to_id))) return undefined;
    threads.add(reply_to_id);
    count += 1;
  }
  if (count === 0) return undefined;
  return threads.size === count ? "once" : "often";
}

/** Remembers who has written in which thread. */
export function noteReplies(drafts: Draft[], rows: Row[]): void {
  for (const [i, { thread_id, seq }] of rows.entries()) {
    const draft = drafts[i];
    if (!draft || draft.via_name !== null || !thread_id || seq === null) continue;
    known.set(keyOf(draft.author_id, thread_id), true);
  }
}

/** Forgets those of a batch whose follow or thread the statement did not find. */
export function forgetReplies(drafts: Draft[], rows: Row[]): void {
  for (const [i, { refused }] of rows.entries()) {
    const draft = drafts[i];
    if (draft?.reply_to_id && refused?.begins)
      known.delete(keyOf(draft.author_id, draft.reply_to_id));
  }
}
