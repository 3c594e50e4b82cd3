/** What a room refuses to members who may write in it otherwise. */
import { Refusal } from "../platform/refusal.ts";
import { MAX_BROADCAST_MEMBERS } from "../wire/limits.ts";
import type { RoomKind } from "../wire/models.ts";
import type { MembershipRow, RoomRow } from "./access.ts";

/** The end of the sentence that refuses a change in an archived room. */
const REFUSED = {
  post: "nothing can be posted.",
  edit: "messages can be deleted, but not edited.",
  react: "reactions cannot be changed.",
  pin: "pins cannot be changed.",
  thread: "threads cannot be named or marked done.",
  upload: "nothing can be uploaded.",
  add: "nobody can be added.",
  join: "nobody can join it.",
};

/** The refusal `room_archived`. The room's name and description can still be changed. */
export function makeArchivedRefusal(what: keyof typeof REFUSED): Refusal {
  return new Refusal("room_archived", `This room is archived: ${REFUSED[what]}`);
}

/** The refusal `conversation_closed`: nobody else in the conversation can answer. */
export function makeClosedRefusal(): Refusal {
  return new Refusal(
    "conversation_closed",
    "Nobody else in this conversation has an active account. You can still read it.",
  );
}

/** @throws Refusal `room_archived`, `conversation_closed` */
export function refuseReadOnly(
  room: { isArchived: boolean; isClosed: boolean },
  what: keyof typeof REFUSED,
): void {
  if (room.isArchived) throw makeArchivedRefusal(what);
  if (room.isClosed) throw makeClosedRefusal();
}

/** The refusal `broadcast_restricted`. */
export function makeBroadcastRefusal(kind: RoomKind | null): Refusal {
  if (kind === "direct") {
    const detail =
      "Every message of a conversation is for everyone in it, without @room and @here.";
    return new Refusal("broadcast_restricted", detail);
  }
  return new Refusal(
    "broadcast_restricted",
    `In a room of more than ${MAX_BROADCAST_MEMBERS} members, only its owner and admins can use @room and @here.`,
  );
}

/**
 * Refuses `@room` and `@here` in a conversation, and to a member of a large room, as the statement
 * that writes messages does.
 * @throws Refusal `broadcast_restricted`
 */
export function refuseBroadcast({
  room,
  membership,
}: {
  room: RoomRow;
  membership: MembershipRow;
}) {
  const isAllowed = room.memberCount <= MAX_BROADCAST_MEMBERS || membership.role !== "member";
  if (room.kind === "direct" || !isAllowed) throw makeBroadcastRefusal(room.kind);
}
