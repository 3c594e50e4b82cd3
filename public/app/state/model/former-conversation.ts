import type { Message, MyRoom, Room } from "../../../../src/wire/models.ts";

/** Whether a room was a group conversation. Unknown for a room stored by an earlier version. */
export function wasConversation({ private_until_seq }: Partial<Room>): boolean {
  return typeof private_until_seq === "number";
}

export function mayDeleteOfOthers(room: MyRoom, { seq }: Pick<Message, "seq">): boolean {
  const role = room.membership?.role ?? "member";
  return role !== "member" && seq > (room.private_until_seq ?? 0);
}
