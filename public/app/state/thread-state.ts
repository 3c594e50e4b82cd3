import type { ServerEvent } from "../../../src/wire/events.ts";
import { withFollow, withoutFollows, withMark, withReply, withThread } from "./follow-changes.ts";
import type { Follows } from "./follows.ts";
import { type State, type ThreadPart, withView, wrote } from "./model.ts";

/** The state after an event, in what I follow and have read of threads. */
export function withThreadEvent(state: State, event: ServerEvent): State {
  const follows = followsAfter(state, event);
  const next = follows === state.follows ? state : { ...state, follows };
  if (event.type === "thread_read") {
    return withThreadPart(next, event.thread_id, { readSeq: event.read_seq });
  }
  if (event.type !== "thread_follow") return next;
  const { thread_id, is_following: isFollowing, read_seq: readSeq } = event;
  return withThreadPart(next, thread_id, { isFollowing, readSeq });
}

function followsAfter({ follows, me, rooms }: State, event: ServerEvent): Follows | null {
  switch (event.type) {
    case "message": {
      const { room_id: roomId, seq, message, root_thread = null } = event;
      const { thread_id: threadId } = message;
      if (!threadId) return follows;
      return withReply(follows, { roomId, threadId, seq, isMine: wrote(me, message) }, root_thread);
    }
    case "unread": {
      const { room_id: roomId, seq, thread_id: threadId, author_id } = event;
      if (!threadId) return follows;
      const isMine = author_id !== null && author_id === me?.id;
      return withReply(follows, { roomId, threadId, seq, isMine }, null);
    }
    case "thread":
      return withThread(follows, event.message_id, event.seq, event.thread);
    case "thread_read":
      return withMark(follows, event.thread_id, event);
    case "thread_follow":
      return withFollow(follows, event.thread_id, event);
    case "room_removed":
      // I may have been added again since.
      return rooms?.[event.room_id] ? follows : withoutFollows(follows, event.room_id);
    default:
      return follows;
  }
}

/** The state with a change to what I follow and have read of a thread that is shown. */
function withThreadPart(state: State, id: string, change: Partial<ThreadPart>): State {
  const thread = state.views[id]?.thread;
  return thread ? withView(state, id, { thread: { ...thread, ...change } }) : state;
}
