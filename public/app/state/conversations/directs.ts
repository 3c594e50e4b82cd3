import { activeAt, type DirectRoom } from "../model/conversation.ts";
import { directList, type State } from "../model/model.ts";

/** A conversation without a message for this long is not in the sidebar; search finds it. */
const SILENT_MS = 30 * 86_400_000;

/**
 * The conversations that the sidebar shows: pinned ones first, then the last active. Unread ones
 * are always shown; those hidden since their last message, and old ones, are not.
 * @param here the id of the open conversation, which is shown too
 * @param now in ms
 */
export function shownDirects(state: State, here: string | null, now: number): DirectRoom[] {
  const visible = directList(state).filter((room) => room.id === here || isShown(room, now));
  const isPinned = (room: DirectRoom) => room.membership?.pinned_at != null;
  return [...visible.filter(isPinned), ...visible.filter((room) => !isPinned(room))];
}

/** Whether I have hidden a conversation and no message has arrived since. */
export function isHidden({ membership, direct, last_message_at }: DirectRoom): boolean {
  const { hidden_at } = direct;
  if (membership?.unread || hidden_at === null) return false;
  return last_message_at === null || last_message_at <= hidden_at;
}

/** An unread conversation is never hidden. */
export const mayHide = ({ membership }: DirectRoom) => membership?.unread !== true;

function isShown(room: DirectRoom, now: number): boolean {
  const { membership } = room;
  if (membership?.unread) return true;
  if (isHidden(room)) return false;
  return membership?.pinned_at != null || now - Date.parse(activeAt(room)) < SILENT_MS;
}

/** The conversation of exactly these people and me, if it is loaded. */
export function directWith(state: State, userIds: string[]): DirectRoom | undefined {
  const key = [...new Set([...userIds, state.me?.id ?? ""])].toSorted().join();
  const matches = directList(state).filter(
    ({ direct }) =>
      direct.members
        .map(({ user }) => user.id)
        .toSorted()
        .join() === key,
  );
  // A group that has shrunk to two people is not their direct conversation.
  const size = key.split(",").length;
  return matches.find(({ direct }) => size > 2 || direct.kind !== "group");
}
