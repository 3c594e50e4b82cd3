import type { UnreadActivity } from "../../../../src/wire/activity.ts";
import { roomById, type State } from "../model/model.ts";
import { readNews } from "../model/news.ts";

/** The state with an answer about new entries of my activity. */
export function withActivity(state: State, unread: UnreadActivity): State {
  // The mark only moves forward: an answer with an earlier one is older.
  if (state.activity && unread.read_at < state.activity.read_at) return state;
  return { ...state, activity: unread };
}

/** The state after an event of a room, which may have brought mentions. */
export function withNewMentions(before: State, state: State, roomId: string): State {
  const { activity } = state;
  const more = countMentions(state, roomId) - countMentions(before, roomId);
  if (!activity || more <= 0) return state;
  const count = activity.mentions.find(({ room_id }) => room_id === roomId)?.count ?? 0;
  const others = activity.mentions.filter(({ room_id }) => room_id !== roomId);
  const mentions = [...others, { room_id: roomId, count: count + more }];
  return { ...state, activity: { ...activity, mentions } };
}

/** The number of unread mentions in a room of mine. */
export function countMentions(state: State, roomId: string): number {
  return roomById(state, roomId)?.membership?.mention_count ?? 0;
}

/**
 * The number of new entries. A room's mentions after the list's mark are its newest ones, so at
 * most as many are new as are unread in the room.
 */
export function countActivity(state: State): { mentions: number; reactions: number } {
  const { activity } = state;
  if (!activity || !state.conversations) return { mentions: 0, reactions: 0 };
  const mentions = activity.mentions.reduce((sum, { room_id, count }) => {
    return sum + Math.min(count, readNews(roomById(state, room_id)?.membership).mentions);
  }, 0);
  return { mentions, reactions: activity.reactions };
}
