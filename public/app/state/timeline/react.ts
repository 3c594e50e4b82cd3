import type { Message, Reaction } from "../../../../src/wire/models.ts";
import { changeEverywhere } from "../model/message-list.ts";
import type { AttachedDeps } from "../pending-changes.ts";

/** The reactions of a message after someone adds or removes an emoji. */
export function setEmoji(
  reactions: Reaction[],
  emoji: string,
  userId: string,
  isOn: boolean,
): Reaction[] {
  const existing = reactions.find((reaction) => reaction.emoji === emoji);
  if ((existing?.user_ids.includes(userId) ?? false) === isOn) return reactions;
  if (!existing) return [...reactions, { emoji, count: 1, user_ids: [userId] }];
  const user_ids = isOn
    ? [...existing.user_ids, userId]
    : existing.user_ids.filter((id) => id !== userId);
  return reactions
    .map((reaction) =>
      reaction === existing ? { emoji, count: user_ids.length, user_ids } : reaction,
    )
    .filter((item) => item.count > 0);
}

/**
 * Adds or removes the reader's emoji on a message, before the service has confirmed it.
 * @throws ApiError
 */
export async function toggleReaction(
  { api, state, change }: AttachedDeps,
  { id, reactions }: Message,
  emoji: string,
): Promise<void> {
  const userId = state.value.me?.id ?? "";
  const isOn = !reactions.some((item) => item.emoji === emoji && item.user_ids.includes(userId));
  await change(
    (now) =>
      changeEverywhere(now, id, (message) => {
        return { ...message, reactions: setEmoji(message.reactions, emoji, userId, isOn) };
      }),
    () => api.call("POST /api/messages/:id/reactions", { params: { id }, body: { emoji } }),
  );
}
