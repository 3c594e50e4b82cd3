import type { ServerEvent } from "../../../../src/wire/events.ts";
import type { ThreadFollow, ThreadMark } from "../../../../src/wire/threads.ts";
import {
  markAfter,
  type Reply,
  withFollow,
  withoutFollows,
  withMark,
  withReply,
  withThread,
} from "./follow-changes.ts";
import type { Follows } from "../model/follows.ts";
import { isAuthor, roomById, type State, type ThreadPart, withView } from "../model/model.ts";

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
