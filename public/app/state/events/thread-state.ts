import type { ServerEvent } from "../../../../src/wire/events.ts";
import type { ThreadFollow, ThreadMark } from "../../../../src/wire/threads.ts";
import { type Follow, type Follows, toFollow, toThreadRoot } from "../model/follows.ts";
import { isAuthor, roomById, type State } from "../model/model.ts";
import { MAX_THREAD_UNREAD } from "../../../../src/wire/limits.ts";
import type { Message, Thread } from "../../../../src/wire/models.ts";

/** Applies an event to the threads that I follow and their read marks. */
export function withThreadEvent(state: State, event: ServerEvent): State {
  const threads = followsAfter(state, event);
  return threads === state.threads ? state : { ...state, threads };
}

/**
 * The state with the service's list. Threads beyond it that are open are as their pages say, and read,
 * because the list has all that are unread.
 */
export function withFollows(state: State, list: Follows, isWhole: boolean): State {
  const { threads: before, views } = state;
  if (isWhole) return { ...state, threads: list };
  const open = Object.values(views).flatMap(({ thread }) => {
    const follow = thread && before?.[thread.id];
    if (!follow) return [];
    const replies = { ...follow.replies, count: 0, later: [] };
    return [[thread.id, { ...follow, replies }] as const];
  });
  return { ...state, threads: { ...Object.fromEntries(open), ...list } };
}

/** The thread whose follow or read mark an event may change. */
export function threadOf(event: ServerEvent): string | null {
  if (event.type === "message") return event.message.thread_id;
  return event.type === "thread_read" || event.type === "thread_follow" ? event.thread_id : null;
}

export function replyOf(event: ServerEvent, me: State["me"]): Reply | null {
  if (event.type === "message") {
    const { seq, message } = event;
    const { thread_id: threadId } = message;
    return threadId === null ? null : { threadId, seq, isMine: isAuthor(me, message) };
  }
  if (event.type !== "unread" || !event.thread_id) return null;
  const { seq, thread_id: threadId, author_id } = event;
  return { threadId, seq, isMine: author_id !== null && author_id === me?.id };
}

function followsAfter(state: State, event: ServerEvent): Follows | null {
  const { threads: follows, me } = state;
  switch (event.type) {
    case "message":
    case "unread": {
      const reply = replyOf(event, me);
      const thread = ("root_thread" in event && event.root_thread) || null;
      return reply ? withReply(follows, reply, thread) : follows;
    }
    case "message_update":
      return withRoot(follows, event.message);
    case "thread":
      return withThread(follows, event.message_id, event.seq, event.thread);
    case "thread_read":
      return withMark(follows, event.thread_id, event);
    case "thread_follow":
      return withFollow(follows, event.thread_id, event, openRoot(state, event.thread_id));
    case "room_removed":
      // I may have been added to the room again.
      return roomById(state, event.room_id) ? follows : withoutFollows(follows, event.room_id);
    default:
      return follows;
  }
}

function changeFollow(follows: Follows, id: string, change: Partial<Follow>): Follows {
  const follow = follows[id];
  const isSame = !follow || Object.keys(change).length === 0;
  return isSame ? follows : { ...follows, [id]: { ...follow, ...change } };
}

/** A reply, from an event of any kind. */
export type Reply = { threadId: string; seq: number; isMine: boolean };

/**
 * Applies a reply to the followed threads; my own reply also marks the thread as read up to it. If
 * my reply is in a thread that is not in the list, only a response shows whether I follow it,
 * because the reply may be from before I left the room.
 * @param thread the thread with the reply, if loaded
 */
export function withReply(
  follows: Follows | null,
  { threadId, seq, isMine }: Reply,
  thread: Thread | null,
): Follows | null {
  const follow = follows?.[threadId];
  if (!follows || !follow) return follows;
  const change = isMine ? moveMark(follow, markAfter(follow, seq)) : addReply(follow, seq);
  // A late event does not change the thread.
  if (seq <= follow.seq) return changeFollow(follows, threadId, change);
  const last_reply_seq = thread?.last_reply_seq ?? Math.max(seq, follow.last_reply_seq);
  const is_resolved = thread?.is_resolved ?? false;
  return changeFollow(follows, threadId, { ...change, last_reply_seq, is_resolved, seq });
}

function addReply({ replies }: Follow, seq: number): Partial<Follow> {
  const { countedSeq, later } = replies;
  if (seq <= countedSeq || later.includes(seq)) return {};
  // Further replies are not counted.
  return { replies: { ...replies, later: [...later, seq].slice(-MAX_THREAD_UNREAD) } };
}

/**
 * Moves the read mark. If it now divides the counted replies, their number must be loaded again.
 */
function moveMark({ read_seq, replies }: Follow, mark: ThreadMark): Partial<Follow> {
  if (mark.read_seq === read_seq || replies.count === null) return mark;
  const isAfterAll = mark.read_seq >= replies.countedSeq;
  const isStillRead = replies.count === 0 && mark.read_seq > read_seq;
  return { ...mark, replies: { ...replies, count: isAfterAll || isStillRead ? 0 : null } };
}

/** Applies a change to a thread: its last reply was deleted, or it was marked done. */
export function withThread(
  follows: Follows | null,
  id: string,
  seq: number,
  thread: Thread | null,
): Follows | null {
  const follow = follows?.[id];
  if (!follows || !follow || seq <= follow.replies.countedSeq) return follows;
  // The thread may have lost an unread reply.
  const replies = { ...follow.replies, count: null };
  if (seq <= follow.seq) return changeFollow(follows, id, { replies });
  if (!thread) return without(follows, (threadId) => threadId === id);
  const { title, last_reply_seq, is_resolved } = thread;
  const root = { ...follow.root, title };
  return changeFollow(follows, id, { last_reply_seq, is_resolved, seq, root, replies });
}

function withRoot(follows: Follows | null, message: Message): Follows | null {
  return follows && changeFollow(follows, message.id, { root: toThreadRoot(message) });
}

/** The read mark after my own reply, unless I have marked the thread unread since. */
function markAfter({ read_seq, replied_seq }: ThreadMark, seq: number): ThreadMark {
  if (seq <= replied_seq) return { read_seq, replied_seq };
  return { read_seq: Math.max(read_seq, seq), replied_seq: seq };
}

/** The followed threads with another read mark of one of them; null while they are not loaded. */
export function withMark(
  follows: Follows | null,
  id: string,
  { read_seq, replied_seq }: ThreadMark,
): Follows | null {
  const follow = follows?.[id];
  if (!follows || !follow) return follows;
  // My own reply has already moved the mark further than this.
  const mark = markAfter({ read_seq, replied_seq }, follow.replied_seq);
  return changeFollow(follows, id, moveMark(follow, mark));
}

/**
 * Applies following or unfollowing a thread.
 * @param root if loaded; a thread that is neither in the list nor open must be loaded
 */
export function withFollow(
  follows: Follows | null,
  id: string,
  follow: ThreadFollow,
  root: Message | null,
): Follows | null {
  const { is_following, read_seq, replied_seq } = follow;
  if (!is_following) return follows && without(follows, (threadId) => threadId === id);
  if (read_seq === null) return follows;
  if (follows?.[id]) return withMark(follows, id, { read_seq, replied_seq });
  const newFollow = root && toFollow(root, follow, null);
  return newFollow ? { ...follows, [id]: newFollow } : follows;
}

/** The root of an open thread, which may have been opened by a reply. */
function openRoot({ views }: State, id: string): Message | null {
  return Object.values(views).find(({ thread }) => thread?.id === id)?.thread?.root ?? null;
}

export function withoutFollows(follows: Follows | null, roomId: string): Follows | null {
  return follows && without(follows, (_, { room_id }) => room_id === roomId);
}

function without(follows: Follows, isGone: (id: string, follow: Follow) => boolean): Follows {
  const entries = Object.entries(follows).filter(([id, follow]) => !isGone(id, follow));
  return entries.length === Object.keys(follows).length ? follows : Object.fromEntries(entries);
}
