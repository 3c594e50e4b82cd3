import type { Me, Member, Message, MyRoom, User } from "../../../../src/wire/models.ts";
import type { UnreadActivity } from "../../../../src/wire/activity.ts";
import type { Follows } from "./follows.ts";
import {
  activeAt,
  type Conversation,
  type DirectRoom,
  type RoomConversation,
} from "./conversation.ts";
import type { Sections } from "../../../../src/wire/sections.ts";
import { type Ledger, readLedger } from "./ledger.ts";
import type { Failure } from "../../connection/api.ts";

/** The state of the client: plain data, changed by `applyEvent` and by answers. */
export type State = {
  me: Me | null;
  /** The rooms and direct conversations that I am in; null until they are loaded. */
  conversations: Record<string, Conversation> | null;
  /** The ledger of each conversation: its answers, and the events since. */
  ledgers: Record<string, Ledger>;
  /** New entries of my activity; null until it is loaded. */
  activity: UnreadActivity | null;
  /** The threads that I follow; null until they are loaded. */
  follows: Follows | null;
  /** The sections of my sidebar, as they are saved; null until they are loaded. */
  sections: Sections | null;
  /** The views of rooms and threads that were opened. */
  views: Record<string, RoomView>;
  /** Everyone who was in a response or an event. What shows a user looks up the newest form here. */
  users: Readonly<Record<string, User>>;
};

export type RoomView = {
  /** The last number of the room's log that was applied; null before it was joined. */
  seq: number | null;
  /** A piece of the history without holes, by seq. */
  messages: Message[];
  hasBefore: boolean;
  hasAfter: boolean;
  /** Null until it is loaded. */
  members: Member[] | null;
  loaded: boolean;
  /** Why the history could not be loaded. */
  problem: Failure | null;
  /** Where and why no more of the history could be loaded. */
  stuck: { direction: "before" | "after"; problem: Failure } | null;
  /** Who is typing, until when (ms). */
  typing: Record<string, number>;
  /** Set in the view of a thread, which is one of `views` under the id of its root. */
  thread?: ThreadPart;
};

/** Fields of the view of a thread, besides its replies. */
export type ThreadPart = {
  /** The id of the root. Until a thread that was opened by one of its replies is loaded, that of the reply. */
  id: string;
  roomId: string;
  /** Null until it is loaded, and once it is gone. */
  root: Message | null;
  isFollowing: boolean;
  /** Up to where it is read; null for those who do not follow it. */
  readSeq: number | null;
  /** My last reply that the mark includes; 0 without one. */
  repliedSeq: number;
};

/** The fields of a thread that was deleted with its root. */
export function toGone({ id, roomId }: ThreadPart): ThreadPart {
  return { id, roomId, root: null, isFollowing: false, readSeq: null, repliedSeq: 0 };
}

export const emptyState: State = {
  me: null,
  conversations: null,
  ledgers: {},
  activity: null,
  follows: null,
  sections: null,
  views: {},
  users: {},
};

export const emptyView: RoomView = {
  seq: null,
  messages: [],
  hasBefore: false,
  hasAfter: false,
  members: null,
  loaded: false,
  problem: null,
  stuck: null,
  typing: {},
};

/** Without its history; what is sent or happens until it is loaded is added. */
export const unloaded = { loaded: false, messages: [], hasBefore: false, hasAfter: false };

/** The state with one room's view changed. */
export function withView(state: State, roomId: string, change: Partial<RoomView>): State {
  const view = { ...(state.views[roomId] ?? emptyView), ...change };
  return { ...state, views: { ...state.views, [roomId]: view } };
}

/** The state with the ledger of one of my conversations. */
export function withLedger(state: State, roomId: string, ledger: Ledger): State {
  if (ledger === state.ledgers[roomId]) return state;
  const { room } = readLedger(ledger, state.me?.id);
  return {
    ...state,
    ledgers: { ...state.ledgers, [roomId]: ledger },
    conversations: { ...state.conversations, [roomId]: room },
  };
}

/** The state without a conversation and everything about it. */
export function withoutRoom(state: State, roomId: string): State {
  const conversations = state.conversations && { ...state.conversations };
  const ledgers = { ...state.ledgers };
  const views = { ...state.views };
  delete conversations?.[roomId];
  delete ledgers[roomId];
  delete views[roomId];
  for (const [id, view] of Object.entries(views))
    if (view.thread?.roomId === roomId) delete views[id];
  const sections = state.sections && withoutListed(state.sections, roomId);
  return { ...state, conversations, ledgers, views, sections };
}

/** Leaving a room removes it from its section, without another version. */
function withoutListed(list: Sections, roomId: string): Sections {
  if (!list.sections.some(({ room_ids }) => room_ids.includes(roomId))) return list;
  const sections = list.sections.map((section) => ({
    ...section,
    room_ids: section.room_ids.filter((id) => id !== roomId),
  }));
  return { ...list, sections };
}

/** The state with the sections of my sidebar, unless it has newer ones. */
export function withSections(state: State, sections: Sections): State {
  if (sections.version < (state.sections?.version ?? 0)) return state;
  return { ...state, sections };
}

/** A room or direct conversation of mine. */
export function conversationById(state: State, id: string): Conversation | undefined {
  return state.conversations?.[id];
}

/** A room of mine; undefined for a direct conversation. */
export function roomById(state: State, id: string): RoomConversation | undefined {
  const conversation = state.conversations?.[id];
  return conversation?.kind === "room" ? conversation : undefined;
}

/** The present name of a room that a message refers to: the message has the one at its time. */
export function currentRoomName(state: State, reference: RoomReference): string {
  return roomById(state, reference.room_id)?.name ?? reference.name;
}
type RoomReference = Message["room_references"][number];

/** My room of this name. */
export function roomByName(state: State, name: string): RoomConversation | undefined {
  return allOf(state)
    .filter(isRoom)
    .find((room) => room.name === name);
}

/** My rooms, by name. */
export function roomList(state: State): RoomConversation[] {
  return allOf(state)
    .filter(isRoom)
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** My direct conversations, the last active first. */
export function directList(state: State): DirectRoom[] {
  return allOf(state)
    .filter((conversation) => conversation.kind === "direct")
    .sort(
      (a, b) =>
        (activeAt(a) < activeAt(b) ? 1 : activeAt(a) > activeAt(b) ? -1 : 0) ||
        (a.id < b.id ? -1 : 1),
    );
}

function isRoom(conversation: Conversation): conversation is RoomConversation {
  return conversation.kind === "room";
}

function allOf({ conversations }: State): Conversation[] {
  return Object.values(conversations ?? {});
}

/** Whether the newest message of a room is loaded. */
export function hasNewest({ messages, hasAfter, loaded }: RoomView, room: MyRoom): boolean {
  const newest = messages.at(-1)?.created_at ?? "";
  return loaded && !hasAfter && newest >= (room.last_message_at ?? "");
}

/** Whether a room has the same name and description, and the user the same rights in it. */
export function isSameRoom(a: MyRoom, b: MyRoom): boolean {
  return (
    a.id === b.id &&
    a.name === b.name &&
    a.is_archived === b.is_archived &&
    a.threads === b.threads &&
    a.membership?.role === b.membership?.role
  );
}

/** Whether someone wrote a message; messages of their webhooks do not count. */
export function isAuthor(me: Pick<Me, "id"> | null, { author, via }: Message): boolean {
  return via === null && author.id === me?.id;
}
