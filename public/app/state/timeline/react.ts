import type { Signal } from "@preact/signals";
import type { Message, Reaction } from "../../../../src/wire/models.ts";
import type { Api } from "../../connection/api.ts";
import { withChanged } from "../model/message-list.ts";
import type { State } from "../model/model.ts";

/** The reactions of a message after someone toggles an emoji. */
export function toggleEmoji(reactions: Reaction[], emoji: string, userId: string): Reaction[] {
  const existing = reactions.find((reaction) => reaction.emoji === emoji);
  if (!existing) return [...reactions, { emoji, count: 1, user_ids: [userId] }];
  const user_ids = existing.user_ids.includes(userId)
    ? existing.user_ids.filter((id) => id !== userId)
    : [...existing.user_ids, userId];
  return reactions
    .map((reaction) =>
      reaction === existing ? { emoji, count: user_ids.length, user_ids } : reaction,
    )
    .filter((item) => item.count > 0);
}

/**
 * Adds or removes the reader's emoji on a message: shown at once, and reverted if the service
 * refuses.
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
  const view = () => state.value.views[room_id];
  const show = () => {
    const message = view()?.messages.find((message) => message.id === id);
    if (!message) return;
    const reactions = toggleEmoji(message.reactions, emoji, me.id);
    state.value = withChanged(state.value, { ...message, reactions }, view()?.seq ?? null);
  };
  const seq = view()?.seq ?? null;
  show();
  try {
    // An event brings the reactions of all people.
    await api.call("POST /api/messages/:id/reactions", { params: { id }, body: { emoji } });
  } catch (error) {
    if (view()?.seq === seq) show();
    else await renew(api, state, id);
    throw error;
  }
}

/** Events meanwhile may have changed the reactions: they are loaded. */
async function renew(api: Api, state: Signal<State>, id: string): Promise<void> {
  const seqs = new Map(Object.entries(state.value.views).map(([key, { seq }]) => [key, seq]));
  const message = await api.call("GET /api/messages/:id", { params: { id } }).catch(() => null);
  if (message) state.value = withChanged(state.value, message, seqs.get(message.room_id) ?? null);
}
