import { ROOT_EXCERPT_LENGTH } from "../../../../src/wire/limits.ts";
import { cutForExcerpt, makeExcerpt } from "../../../../src/wire/markdown/plain.ts";
import type { Message, ReplyRoot } from "../../../../src/wire/models.ts";
import type { ThreadFollow } from "../../../../src/wire/threads.ts";

/** A thread that I follow, with the fields that decide what is unread. */
export type Follow = {
  room_id: string;
  read_seq: number;
  /** The last of my replies that the mark includes. */
  replied_seq: number;
  last_reply_seq: number;
  is_resolved: boolean;
  /** The number in the room's log up to which the last reply and `is_resolved` are current. */
  seq: number;
  root: ThreadRoot;
  replies: UnreadReplies;
};

/** The root of a thread, with as much of its text as an excerpt needs. */
type ThreadRoot = Omit<ReplyRoot, "excerpt"> & { content: string | null };

export function toThreadRoot({ id, author, content, thread }: Message): ThreadRoot {
  const { display_name, username, profile_version } = author;
  return {
    id,
    author: { id: author.id, name: display_name ?? username, profile_version },
    title: thread?.title ?? null,
    content: content && cutForExcerpt(content, ROOT_EXCERPT_LENGTH),
  };
}

const excerpts = new WeakMap<ThreadRoot, string | null>();

/** Makes a root's excerpt when it is first shown, because parsing many texts takes long. */
export function withExcerpt(root: ThreadRoot): ReplyRoot {
  const { content, ...rest } = root;
  if (!excerpts.has(root)) excerpts.set(root, makeExcerpt(content, ROOT_EXCERPT_LENGTH));
  return { ...rest, excerpt: excerpts.get(root) ?? null };
}

/**
 * @param count how many replies are unread; null if that must be loaded
 * @returns null if I do not follow the thread, or it has no replies
 */
export function toFollow(root: Message, follow: ThreadFollow, count: number | null): Follow | null {
  const { thread, room_id } = root;
  if (!thread || !follow.is_following) return null;
  const { last_reply_seq, is_resolved } = thread;
  const read_seq = follow.read_seq ?? 0;
  // The service counts no replies of a thread that is done.
  const isKnown = !is_resolved || last_reply_seq <= read_seq;
  return {
    room_id,
    read_seq,
    replied_seq: follow.replied_seq,
    last_reply_seq,
    is_resolved,
    seq: last_reply_seq,
    root: toThreadRoot(root),
    replies: { count: isKnown ? count : null, countedSeq: last_reply_seq, later: [] },
  };
}

type UnreadReplies = {
  /**
   * How many were unread when the list was loaded; null if an event has changed the number without
   * saying by how much.
   */
  count: number | null;
  /** The last reply that `count` includes. */
  countedSeq: number;
  /** The numbers of the replies since then. */
  later: readonly number[];
};

export type Follows = Readonly<Record<string, Follow>>;

/** Whether there is a reply of someone else that I have not read, in a thread that is not done. */
export function isUnread(follow: Follow): boolean {
  const { read_seq, last_reply_seq, is_resolved } = follow;
  return !is_resolved && last_reply_seq > read_seq && countUnreadReplies(follow) !== 0;
}

/** The number of unread replies of others; null if it must be loaded. */
export function countUnreadReplies({ replies, read_seq }: Follow): number | null {
  const { count, later } = replies;
  return count === null ? null : count + later.filter((seq) => seq > read_seq).length;
}

export function countUnreadThreads(follows: Follows | null): number {
  return Object.values(follows ?? {}).filter(isUnread).length;
}
