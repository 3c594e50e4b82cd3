import type { Member } from "../../../../src/wire/models.ts";
import { directOf, toMembers } from "./conversation.ts";
import { type State, withLedger, withView } from "./model.ts";

/**
 * Replaces some of a room's members.
 * @param ids the requested people; those who are missing in the answer are not members
 */
export function withSomeMembers(
  state: State,
  roomId: string,
  ids: ReadonlySet<string>,
  some: Member[],
): State {
  const before = state.views[roomId]?.members;
  if (!before) return state;
  const ledger = state.ledgers[roomId];
  const direct = ledger && directOf(ledger.room);
  // All people of a conversation are shown as members since it began, as when it is loaded.
  const changedMembers = direct ? toMembers({ ...direct, members: some }) : some;
  const members = [...before.filter(({ user }) => !ids.has(user.id)), ...changedMembers];
  members.sort((a, b) => (a.user.username < b.user.username ? -1 : 1));
  return withView(state, roomId, { members });
}

/**
 * Updates whether people of a conversation are online.
 * @param ids who has changed
 * @returns null if they are not among the known people, which then have to be loaded
 */
export function withPartners(
  state: State,
  roomId: string,
  ids: string[],
  some: Member[],
): State | null {
  const ledger = state.ledgers[roomId];
  const direct = ledger && directOf(ledger.room);
  const changed = new Map(some.map((member) => [member.user.id, member]));
  const isKnown = (id: string) => direct?.members.some(({ user }) => user.id === id);
  if (!direct || !ids.every((id) => changed.has(id) && isKnown(id))) return null;
  const members = mapItems(direct.members, (member) => {
    const now = changed.get(member.user.id);
    return now && now.status !== member.status ? { ...member, status: now.status } : member;
  });
  const room = { ...ledger.room, direct: { ...direct, members } };
  return members === direct.members ? state : withLedger(state, roomId, { ...ledger, room });
}

/** Changes each item of a list; returns the same list if none has changed. */
export function mapItems<T>(list: T[], change: (one: T) => T): T[] {
  const next = list.map(change);
  return next.some((item, i) => item !== list[i]) ? next : list;
}
