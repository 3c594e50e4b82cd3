import type { Direct, Member, MyRoom, User } from "../../../src/wire/models.ts";

/**
 * A direct conversation in the form of a room, so that history, marks and messages are the same for
 * both. It has no name: a screen that shows one names it after its people. Every message in it counts as
 * one that mentions me.
 */
export type DirectRoom = MyRoom & { direct: DirectFacts };
/** What a conversation has and a room has not. */
export type DirectFacts = Pick<Direct, "id" | "kind" | "members" | "created_at"> &
  Pick<Direct["membership"], "hidden_at">;

/** A conversation as an answer or an event has it. */
export function toDirectRoom(direct: Direct): DirectRoom {
  const { id, kind, members, created_at, last_message_at, is_closed, seq, membership } = direct;
  const { pin_count, newest_pin } = direct;
  const { unread_count: mention_count, hidden_at, ...mine } = membership;
  const owner = members[0]?.user;
  if (!owner) throw new Error("toDirectRoom: a conversation without members");
  return {
    ...{ id, created_at, last_message_at, seq, owner },
    direct: { id, kind, members, created_at, hidden_at },
    ...{ name: "", description: null, privacy: "private", threads: "off" },
    ...{ is_archived: is_closed, is_default: false, member_count: members.length },
    ...{ pinning: "members", pin_count, newest_pin, threads: "off" },
    membership: { ...mine, role: "member", mention_count, thread_push: "followed" },
  };
}

/** Null for a room. */
export function directOf(room: MyRoom): DirectFacts | null {
  return "direct" in room ? (room as DirectRoom).direct : null;
}

/** The others in a conversation, by username; oneself in notes, and in a group that all others left. */
export function partnersOf({ members }: Pick<Direct, "members">, meId: string | undefined): User[] {
  const others = members.map(({ user }) => user).filter(({ id }) => id !== meId);
  return others.length > 0 ? others : members.map(({ user }) => user);
}

/** Its people as the members of a room. */
export function toMembers({ members, created_at }: DirectFacts): Member[] {
  return members.map((one) => ({ ...one, role: "member", joined_at: created_at }));
}

/** When something last happened in it. */
export function activeAt({ last_message_at, created_at }: MyRoom): string {
  return last_message_at ?? created_at;
}
