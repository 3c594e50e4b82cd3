import { activeAt, type DirectRoom } from "./direct-room.ts";
import type { State } from "./model.ts";

/** Conversations that are silent for longer are found by search alone. */
const SILENT_MS = 30 * 86_400_000;

/** All conversations that are known, the last active first. */
export function directList(state: State): DirectRoom[] {
  return Object.values(state.directs ?? {}).toSorted(
    (a, b) =>
      (activeAt(a) < activeAt(b) ? 1 : activeAt(a) > activeAt(b) ? -1 : 0) ||
      (a.id < b.id ? -1 : 1),
  );
}

/**
 * The conversations that the sidebar shows: pinned ones first, then the last active. What is unread is
 * always among them; what I have hidden since its last message, and what is silent, is not.
 * @param here the one that is looked at, which is shown too
 * @param now in ms
 */
export function shownDirects(state: State, here: string | null, now: number): DirectRoom[] {
  const shown = directList(state).filter((room) => room.id === here || isShown(room, now));
  const isPinned = (room: DirectRoom) => room.membership?.pinned_at != null;
  return [...shown.filter(isPinned), ...shown.filter((room) => !isPinned(room))];
}

function isShown(room: DirectRoom, now: number): boolean {
  const { membership, direct, last_message_at } = room;
  const { hidden_at } = direct;
  if (membership?.unread) return true;
  if (hidden_at !== null && (last_message_at === null || last_message_at <= hidden_at))
    return false;
  return membership?.pinned_at != null || now - Date.parse(activeAt(room)) < SILENT_MS;
}

/** The conversation of exactly these people and me, if it is known here. */
export function directWith(state: State, userIds: string[]): DirectRoom | undefined {
  const wanted = [...new Set([...userIds, state.me?.id ?? ""])].toSorted().join();
  const matches = directList(state).filter(
    ({ direct }) =>
      direct.members
        .map(({ user }) => user.id)
        .toSorted()
        .join() === wanted,
  );
  // A group that has shrunk to two takes no pair's place.
  const size = wanted.split(",").length;
  return matches.find(({ direct }) => size > 2 || direct.kind !== "group");
}
