import type { ServerEvent } from "../../../../src/wire/events.ts";
import { conversationById, isAuthor, type State } from "../model/model.ts";
import { isMuted, mentionsMe } from "../model/unread.ts";

/**
 * The conversation of a message that notifies the reader, by the same rules as pushes: the setting
 * of its room decides, and replies notify only if they mention the reader, are in a followed
 * thread, or are in a room where the reader wants all replies.
 * @returns null for every other event
 */
export function findNotifiedPlace(state: State, event: ServerEvent): string | null {
  const news = readNews(state, event);
  const place = news && conversationById(state, news.roomId);
  const membership = place?.membership;
  if (!news || !membership || news.isMine || membership.last_read_seq >= news.seq) return null;
  const isForMe = news.isMention || place.kind === "direct";
  if (isMuted(membership) || (membership.notify === "mentions" && !isForMe)) return null;
  if (news.threadId === null) return news.roomId;
  const follow = state.threads?.[news.threadId];
  if (follow && follow.read_seq >= news.seq) return null;
  return isForMe || follow || membership.thread_push === "all" ? news.roomId : null;
}

/** The fields of the message in an event; null if it has none. */
function readNews({ me }: State, event: ServerEvent) {
  if (event.type === "message") {
    const { room_id: roomId, seq, message } = event;
    const [isMine, isMention] = [isAuthor(me, message), mentionsMe(me, message)];
    return { roomId, seq, isMine, isMention, threadId: message.thread_id };
  }
  if (event.type !== "unread") return null;
  const { room_id: roomId, seq, author_id, mention: isMention, thread_id: threadId } = event;
  return { roomId, seq, isMine: author_id !== null && author_id === me?.id, isMention, threadId };
}
