import type { UnreadEvent } from "../../../src/wire/events.ts";
import type { Message } from "../../../src/wire/models.ts";
import { type State, withRoom, wrote } from "./model.ts";

/** 1 if it is someone else's and mentions me. */
export function mentionsMe({ me }: State, message: Message): 0 | 1 {
  const { mentions } = message;
  const isMine = wrote(me, message);
  return !isMine && mentions.some(({ user_id }) => user_id === me?.id) ? 1 : 0;
}

/**
 * What is unread, counted again from the messages that are known, if they reach back to the mark:
 * an edit may name me or no longer do so, and what is deleted counts no more.
 */
export function recount(state: State, roomId: string): State {
  const view = state.views[roomId];
  const membership = state.rooms?.[roomId]?.membership;
  if (!membership || !view?.loaded || view.hasAfter) return state;
  const { last_read_at } = membership;
  const isWhole = !view.hasBefore || (view.messages[0]?.created_at ?? "") <= last_read_at;
  if (!isWhole) return state;
  const unread = view.messages.filter(
    (message) => message.created_at > last_read_at && !wrote(state.me, message),
  );
  const mention_count = unread.filter((message) => mentionsMe(state, message)).length;
  return withRoom(state, roomId, {
    membership: { ...membership, unread: unread.length > 0, mention_count },
  });
}

/** Those that mention me may overtake those that do not. */
export function applyUnread(state: State, event: UnreadEvent): State {
  const room = state.rooms?.[event.room_id];
  if (!room?.membership || event.author_id === state.me?.id) return state;
  const mention_count = room.membership.mention_count + (event.mention ? 1 : 0);
  const isNewest = room.last_message_at === null || room.last_message_at < event.created_at;
  return withRoom(state, event.room_id, {
    last_message_at: isNewest ? event.created_at : room.last_message_at,
    membership: { ...room.membership, unread: true, mention_count },
  });
}

/** The mark says up to when all is read. */
export function applyRead(state: State, roomId: string, lastReadAt: string): State {
  const room = state.rooms?.[roomId];
  if (!room?.membership || room.membership.last_read_at > lastReadAt) return state;
  const newer = room.last_message_at !== null && room.last_message_at > lastReadAt;
  const membership = {
    ...room.membership,
    last_read_at: lastReadAt,
    unread: newer && room.membership.unread,
    mention_count: newer ? room.membership.mention_count : 0,
  };
  const next = withRoom(state, roomId, { membership });
  // Of a room that is not looked at, the newest messages are not known.
  const newest = state.views[roomId]?.messages.at(-1)?.created_at ?? "";
  return newest >= (room.last_message_at ?? "") ? recount(next, roomId) : next;
}
