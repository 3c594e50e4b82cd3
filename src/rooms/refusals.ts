import { Refusal } from "../platform/refusal.ts";
import type { RoomRow } from "./access.ts";
import { MAX_BROADCAST_MEMBERS } from "../wire/limits.ts";
import type { RoomKind } from "../wire/models.ts";

const ARCHIVED_SUFFIX = {
  post: "nothing can be posted.",
  edit: "messages can be deleted, but not edited.",
  react: "reactions cannot be changed.",
  pin: "pins cannot be changed.",
  thread: "threads cannot be named or marked done.",
  upload: "nothing can be uploaded.",
  add: "nobody can be added.",
  join: "nobody can join it.",
};

/** `room_archived`: only the name and description of an archived room can be changed. */
export function makeArchivedRefusal(action: keyof typeof ARCHIVED_SUFFIX): Refusal {
  return new Refusal("room_archived", `This room is archived: ${ARCHIVED_SUFFIX[action]}`);
}

/** `conversation_closed`: nobody else in the conversation can answer. */
export function makeClosedRefusal(): Refusal {
  const detail = "Nobody else in this conversation has an active account. You can still read it.";
  return new Refusal("conversation_closed", detail);
}

/** @throws Refusal `room_archived`, `conversation_closed` */
export function refuseReadOnly(
  room: { isArchived: boolean; isClosed: boolean },
  action: keyof typeof ARCHIVED_SUFFIX,
): void {
  if (room.isArchived) throw makeArchivedRefusal(action);
  if (room.isClosed) throw makeClosedRefusal();
}

export function makeBroadcastRefusal(kind: RoomKind | null): Refusal {
  if (kind === "direct") {
    const detail =
      "Every message of a conversation is for everyone in it, without @room and @here.";
    return new Refusal("broadcast_restricted", detail);
  }
  const detail = `In a room of more than ${MAX_BROADCAST_MEMBERS} members, only its owner and admins can use @room and @here.`;
  return new Refusal("broadcast_restricted", detail);
}

/** People wrote in the group conversation before it became a room, and its rules still protect them. */
const FORMER_CONVERSATION_SUFFIX = {
  open: "so it stays private.",
  default: "so only its owner and admins can add people.",
  transfer: "so only a member can own it.",
  delete: "so it cannot be deleted. Everyone can delete their own messages.",
};

/** @throws Refusal `was_conversation` */
export function refuseFormerConversation(
  { privateUntilSeq }: Pick<RoomRow, "privateUntilSeq">,
  action: keyof typeof FORMER_CONVERSATION_SUFFIX,
): void {
  if (privateUntilSeq === null) return;
  const detail = `This room was a conversation, ${FORMER_CONVERSATION_SUFFIX[action]}`;
  throw new Refusal("was_conversation", detail);
}

export function isFromConversation(
  { privateUntilSeq }: Pick<RoomRow, "privateUntilSeq">,
  { seq }: { seq: number },
): boolean {
  return privateUntilSeq !== null && seq <= privateUntilSeq;
}
