import type { Direct, Member, MyRoom, User } from "../../../../src/wire/models.ts";

/** A room or a direct conversation that I am in. */
export type Conversation = RoomConversation | DirectRoom;
export type RoomConversation = MyRoom & { kind: "room" };

/**
 * A direct conversation in the form of a room, so that history, marks and messages are the same for
 * both. It has no name of its own: screens name it after its people. Every message in it counts as
 * a mention.
 */
export type DirectRoom = MyRoom & { kind: "direct"; direct: DirectFacts };
/** The fields of a conversation that a room does not have. */
export type DirectFacts = Pick<Direct, "id" | "kind" | "members" | "created_at"> &
  Pick<Direct["membership"], "hidden_at">;

/** @param place as sent by the service */
export function toConversation(place: MyRoom | Direct): Conversation {
  return "owner" in place ? { ...place, kind: "room" } : toDirectRoom(place);
}

/**
 * A direct conversation in the form of a room.
 * @param direct as sent by the service
 */
export function toDirectRoom(direct: Direct): DirectRoom {
  const { id, kind, members, created_at, last_message_at, is_closed, seq, membership } = direct;
  const { pin_count, newest_pin } = direct;
  const { unread_count: mention_count, hidden_at, ...mine } = membership;
  const owner = members[0]?.user;
  if (!owner) throw new Error("toDirectRoom: a conversation without members");
  return {
    kind: "direct",
    id,
    created_at,
    last_message_at,
    seq,
    owner,
    direct: { id, kind, members, created_at, hidden_at },
    name: "",
    description: null,
    privacy: "private",
    threads: "off",
    private_until_seq: null,
    is_archived: is_closed,
    is_default: false,
    member_count: members.length,
    pinning: "members",
    pin_count,
    newest_pin,
    membership: { ...mine, role: "member", mention_count, thread_push: "followed" },
  };
}

/** Null for a room. */
export function directOf(room: MyRoom): DirectFacts | null {
  return "direct" in room ? (room as DirectRoom).direct : null;
}

/**
 * The other people of a conversation, by username; the reader alone in notes, or in a group that
 * everyone else has left.
 */
export function partnersOf({ members }: Pick<Direct, "members">, meId: string | undefined): User[] {
  const others = members.map(({ user }) => user).filter(({ id }) => id !== meId);
  return others.length > 0 ? others : members.map(({ user }) => user);
}

export function toMembers({ members, created_at }: DirectFacts): Member[] {
  return members.map((member) => ({ ...member, role: "member", joined_at: created_at }));
}

/** The time of a conversation's last message, or of its creation. */
export function activeAt({ last_message_at, created_at }: MyRoom): string {
  return last_message_at ?? created_at;
}
