import type { Signal } from "@preact/signals";
import type { Message, Reaction } from "../../../src/wire/models.ts";
import type { Api } from "../connection/api.ts";
import { insert } from "./apply-event.ts";
import { type State, withView } from "./model.ts";

/** The reactions of a message after someone toggles an emoji. */
export function toggled(reactions: Reaction[], emoji: string, userId: string): Reaction[] {
  const known = reactions.find((one) => one.emoji === emoji);
  if (!known) return [...reactions, { emoji, count: 1, user_ids: [userId] }];
  const user_ids = known.user_ids.includes(userId)
    ? known.user_ids.filter((id) => id !== userId)
    : [...known.user_ids, userId];
  return reactions
    .map((one) => (one === known ? { emoji, count: user_ids.length, user_ids } : one))
    .filter((one) => one.count > 0);
}

/**
 * Puts an emoji on a message or takes it back: at once to be seen, and back as it was where the
 * service refuses.
 * @throws ApiError
 */
export async function toggleReaction(
  api: Api,
  state: Signal<State>,
  { id, room_id }: Message,
  emoji: string,
): Promise<void> {
  const me = state.value.me;
  if (!me) return;
  const find = () => state.value.views[room_id]?.messages.find((one) => one.id === id);
  const show = (reactions: Reaction[]) => {
    const messages = state.value.views[room_id]?.messages;
    const message = find();
    if (!messages || !message) return;
    state.value = withView(state.value, room_id, {
      messages: insert(messages, { ...message, reactions }),
    });
  };
  show(toggled(find()?.reactions ?? [], emoji, me.id));
  try {
    const path = `/api/messages/${id}/reactions`;
    const { active } = await api.post<{ active: boolean }>(path, { emoji });
    // The answer may be older than what others did since: one's own part of it is all that counts.
    const now = find()?.reactions ?? [];
    const isMine = now.some((one) => one.emoji === emoji && one.user_ids.includes(me.id));
    if (isMine !== active) show(toggled(now, emoji, me.id));
  } catch (error) {
    show(toggled(find()?.reactions ?? [], emoji, me.id));
    throw error;
  }
}
