import type { ServerEvent } from "../../../../src/wire/events.ts";
import type { ThreadFollow, ThreadMark } from "../../../../src/wire/threads.ts";
import type { Follow, Follows } from "../model/follows.ts";
import { isAuthor, roomById, type State, type ThreadPart, withView } from "../model/model.ts";
import type { Thread } from "../../../../src/wire/models.ts";

/** The state after an event, in the threads that I follow and their read marks. */
export function withThreadEvent(state: State, event: ServerEvent): State {
  const follows = followsAfter(state, event);
  return withOpenThread(follows === state.follows ? state : { ...state, follows }, event);
}

/** The state after an event, in the follow and read mark of the thread that is open. */
export function withOpenThread(state: State, event: ServerEvent): State {
  switch (event.type) {
    case "thread_read":
    case "thread_follow": {
      const { isFollowing, readSeq, repliedSeq } = toPart({ is_following: true, ...event });
      return withThreadPart(state, event.thread_id, (part) =>
        isFollowing && readSeq !== null
          ? { isFollowing, ...markOf(markAfter(toMark(readSeq, repliedSeq), part.repliedSeq)) }
          : { isFollowing, readSeq, repliedSeq },
      );
    }
    case "message": {
      const { message, seq } = event;
      if (!message.thread_id || !isAuthor(state.me, message)) return state;
      return withThreadPart(state, message.thread_id, ({ readSeq, repliedSeq }) =>
        readSeq === null ? {} : markOf(markAfter(toMark(readSeq, repliedSeq), seq)),
      );
    }
    default:
      return state;
  }
}

const toMark = (read_seq: number, replied_seq: number): ThreadMark => ({ read_seq, replied_seq });
const markOf = ({ read_seq, replied_seq }: ThreadMark) => ({
  readSeq: read_seq,
  repliedSeq: replied_seq,
});

/** The user's follow and read mark of a thread, in the form of its view. */
export function toPart({ is_following, read_seq, replied_seq }: ThreadFollow) {
  return { isFollowing: is_following, readSeq: read_seq, repliedSeq: replied_seq };
}

/** The reply that an event is about; null if it is about none. */
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
  const { follows, me } = state;
  switch (event.type) {
    case "message":
    case "unread": {
      const reply = replyOf(event, me);
      const thread = ("root_thread" in event && event.root_thread) || null;
      return reply ? withReply(follows, reply, thread) : follows;
    }
    case "thread":
      return withThread(follows, event.message_id, event.seq, event.thread);
    case "thread_read":
      return withMark(follows, event.thread_id, event);
    case "thread_follow":
      return withFollow(follows, event.thread_id, event);
    case "room_removed":
      // I may have been added to the room again since.
      return roomById(state, event.room_id) ? follows : withoutFollows(follows, event.room_id);
    default:
      return follows;
  }
}

/** The state with a change to the follow or read mark of an open thread. */
function withThreadPart(
  state: State,
  id: string,
  change: (known: ThreadPart) => Partial<ThreadPart>,
): State {
  const thread = state.views[id]?.thread;
  return thread ? withView(state, id, { thread: { ...thread, ...change(thread) } }) : state;
}

/** The threads that I follow after a change to one of them. */
function changeFollow(follows: Follows, id: string, change: Partial<Follow>): Follows {
  const follow = follows[id];
  return follow ? { ...follows, [id]: { ...follow, ...change } } : follows;
}

/** A reply, as events of any kind tell of it. */
export type Reply = { threadId: string; seq: number; isMine: boolean };

/**
 * After a reply in a thread that I follow, which my own reads up to there. Whether my own follows a thread
 * that is not known is only in an answer: the reply may be from before I left its room.
 * @param thread the thread with the reply, if it is known
 */
export function withReply(
  follows: Follows | null,
  { threadId, seq, isMine }: Reply,
  thread: Thread | null,
): Follows | null {
  const follow = follows?.[threadId];
  if (!follows || !follow) return follows;
  const mark = isMine ? markAfter(follow, seq) : {};
  // A late event says nothing new about the thread, but it is read up to my reply.
  if (seq <= follow.seq) return isMine ? changeFollow(follows, threadId, mark) : follows;
  const last_reply_seq = thread?.last_reply_seq ?? Math.max(seq, follow.last_reply_seq);
  const is_resolved = thread?.is_resolved ?? false;
  return changeFollow(follows, threadId, { ...mark, last_reply_seq, is_resolved, seq });
}

/** After a change of a thread: its last reply was deleted, or it is done. */
export function withThread(
  follows: Follows | null,
  id: string,
  seq: number,
  thread: Thread | null,
): Follows | null {
  const follow = follows?.[id];
  if (!follows || !follow || seq <= follow.seq) return follows;
  if (!thread) return without(follows, (threadId) => threadId === id);
  const { last_reply_seq, is_resolved } = thread;
  return changeFollow(follows, id, { last_reply_seq, is_resolved, seq });
}

/**
 * A mark after a reply of my own, which may not include it: I may have marked the thread unread
 * since.
 */
export function markAfter({ read_seq, replied_seq }: ThreadMark, seq: number): ThreadMark {
  if (seq <= replied_seq) return { read_seq, replied_seq };
  return { read_seq: Math.max(read_seq, seq), replied_seq: seq };
}

/** The follows with another mark of one thread; null while they are not loaded. */
export function withMark(
  follows: Follows | null,
  id: string,
  { read_seq, replied_seq }: ThreadMark,
): Follows | null {
  const follow = follows?.[id];
  if (!follows || !follow) return follows;
  // A mark from before a known reply of my own: that reply has moved it.
  return changeFollow(follows, id, markAfter({ read_seq, replied_seq }, follow.replied_seq));
}

/** After Follow was pressed somewhere. An unknown thread has to be loaded. */
export function withFollow(
  follows: Follows | null,
  id: string,
  { is_following, read_seq, replied_seq }: ThreadFollow,
): Follows | null {
  if (!follows) return follows;
  if (!is_following) return without(follows, (threadId) => threadId === id);
  return read_seq === null ? follows : withMark(follows, id, { read_seq, replied_seq });
}

/** Without the threads of a room that I have left. */
export function withoutFollows(follows: Follows | null, roomId: string): Follows | null {
  return follows && without(follows, (_, { room_id }) => room_id === roomId);
}

function without(follows: Follows, isGone: (id: string, follow: Follow) => boolean): Follows {
  const entries = Object.entries(follows).filter(([id, follow]) => !isGone(id, follow));
  return entries.length === Object.keys(follows).length ? follows : Object.fromEntries(entries);
}
