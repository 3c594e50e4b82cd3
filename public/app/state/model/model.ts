import type { Me, Member, Message, MyRoom, User } from "../../../../src/wire/models.ts";
import type { UnreadActivity } from "../../../../src/wire/activity.ts";
import type { Follows } from "./follows.ts";
import {
  activeAt,
  type Conversation,
  type DirectRoom,
  type RoomConversation,
} from "./conversation.ts";
import type { JoinRun } from "./joins.ts";
import type { DraftMark } from "./draft-copy.ts";
import type { Scheduled } from "../../../../src/wire/scheduled-messages.ts";
import type { Sections } from "../../../../src/wire/sections.ts";
import { type Ledger, readLedger } from "./ledger.ts";
import type { Failure } from "../../connection/api.ts";

/** A conversation as displayed, and the ledger from which it is computed. */
type WithLedger = Conversation & { ledger?: Ledger };

/** The state of the client: plain data, changed by events and responses. */
export type State = {
  me: Me | null;
  /** The rooms and direct conversations that I am in; null until they are loaded. */
  conversations: Record<string, WithLedger> | null;
  /**
   * The followed threads by the id of their root: those of the list, and open ones beyond it. Null
   * until one is loaded.
   */
  threads: Follows | null;
  personal: Personal;
  views: Record<string, RoomView>;
  /**
   * Everyone in any response or event. Components that show a user look up the newest version here.
   */
  users: Readonly<Record<string, User>>;
};

/** Data that only I see, besides read marks. Each field is null until it is loaded. */
export type Personal = {
  activity: UnreadActivity | null;
  sections: Sections | null;
  /** The messages that I have saved and not marked done, and how many have a due reminder. */
  saved: { ids: ReadonlySet<string>; due: number } | null;
  scheduled: Readonly<Record<string, Scheduled>> | null;
  /** Where this device has drafts, by `draftKey`. Their content is in `DeviceDrafts`. */
  drafts: Readonly<Record<string, DraftMark>> | null;
  /** Messages that I have deleted, or am deleting. */
  hidden: ReadonlySet<string>;
};

/** How many messages by others than the reader came after a time, up to a number of the room's log. */
export type NewCount = {
  since: string;
  count: number;
  seq: number;
  readerId: string | undefined;
};

export type RoomView = {
  /** The number of the last applied event of the room's log; null before the room was joined. */
  seq: number | null;
  /** A contiguous range of the history, by seq. */
  messages: Message[];
  /** Who joined in that range, by seq. */
  joins: JoinRun[];
  hasBefore: boolean;
  hasAfter: boolean;
  /**
   * How many messages are new, if not all of them are loaded; null if the service was not asked.
   */
  unread: NewCount | null;
  members: Member[] | null;
  loaded: boolean;
  problem: Failure | null;
  /** At which end more of the history failed to load, and why. */
  stuck: { direction: "before" | "after"; problem: Failure } | null;
  /** When each typing person's indicator expires, in ms, by user id. */
  typing: Record<string, number>;
  /** Set if this is the view of a thread. Such a view is in `views` under the id of its root. */
  thread?: ThreadState;
};

/** Fields of the view of a thread, besides its replies. */
export type ThreadState = {
  /**
   * The id of the root. Until the thread is loaded, it may be the id of the reply by which it was
   * opened.
   */
  id: string;
  roomId: string;
  /** Null until it is loaded, and after it was deleted. */
  root: Message | null;
};

/** The fields of a thread that was deleted with its root. */
export function toGone({ id, roomId }: ThreadState): ThreadState {
  return { id, roomId, root: null };
}

export const emptyState: State = {
  me: null,
  conversations: null,
  threads: null,
  personal: {
    activity: null,
    sections: null,
    saved: null,
    scheduled: null,
    drafts: null,
    hidden: new Set(),
  },
  views: {},
  users: {},
};

export const emptyView: RoomView = {
  seq: null,
  messages: [],
  joins: [],
  hasBefore: false,
  hasAfter: false,
  unread: null,
  members: null,
  loaded: false,
  problem: null,
  stuck: null,
  typing: {},
};

/** A view before its history is loaded. Messages that are sent or arrive meanwhile are added. */
export const unloaded = {
  loaded: false,
  messages: [],
  joins: [],
  hasBefore: false,
  hasAfter: false,
};

export function withView(state: State, roomId: string, change: Partial<RoomView>): State {
  const view = { ...(state.views[roomId] ?? emptyView), ...change };
  return { ...state, views: { ...state.views, [roomId]: view } };
}

export function withLedger(state: State, roomId: string, ledger: Ledger): State {
  if (ledger === ledgerOf(state, roomId)) return state;
  const { room } = readLedger(ledger, state.me?.id);
  return { ...state, conversations: { ...state.conversations, [roomId]: { ...room, ledger } } };
}

export function ledgerOf(state: State, roomId: string): Ledger | undefined {
  return state.conversations?.[roomId]?.ledger;
}

/** Changes settings of one of my conversations, before the service has confirmed them. */
export function withMembership(
  state: State,
  roomId: string,
  change: Partial<NonNullable<MyRoom["membership"]>>,
): State {
  const room = state.conversations?.[roomId];
  if (!room?.membership) return state;
  const changed = { ...room, membership: { ...room.membership, ...change } };
  return { ...state, conversations: { ...state.conversations, [roomId]: changed } };
}

export function withoutRoom(state: State, roomId: string): State {
  const conversations = state.conversations && { ...state.conversations };
  const views = { ...state.views };
  delete conversations?.[roomId];
  delete views[roomId];
  for (const [id, view] of Object.entries(views))
    if (view.thread?.roomId === roomId) delete views[id];
  const { sections } = state.personal;
  const personal = sections
    ? { ...state.personal, sections: withoutListed(sections, roomId) }
    : state.personal;
  return { ...state, conversations, views, personal };
}

/**
 * Removes a room that I have left from its section, which does not change the sections' version.
 */
function withoutListed(list: Sections, roomId: string): Sections {
  if (!list.sections.some(({ room_ids }) => room_ids.includes(roomId))) return list;
  const sections = list.sections.map((section) => ({
    ...section,
    room_ids: section.room_ids.filter((id) => id !== roomId),
  }));
  return { ...list, sections };
}

export function conversationById(state: State, id: string): Conversation | undefined {
  return state.conversations?.[id];
}

/** @returns undefined for a direct conversation */
export function roomById(state: State, id: string): RoomConversation | undefined {
  const conversation = state.conversations?.[id];
  return conversation?.kind === "room" ? conversation : undefined;
}

/** The present name of a room that a message refers to; the message has the name at its time. */
export function currentRoomName(state: State, reference: RoomReference): string {
  return roomById(state, reference.room_id)?.name ?? reference.name;
}
type RoomReference = Message["room_references"][number];

export function roomByName(state: State, name: string): RoomConversation | undefined {
  return allOf(state)
    .filter(isRoom)
    .find((room) => room.name === name);
}

export function roomList(state: State): RoomConversation[] {
  return allOf(state)
    .filter(isRoom)
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** My direct conversations, the most recently active first. */
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

export function hasNewest({ messages, hasAfter, loaded }: RoomView, room: MyRoom): boolean {
  const newest = messages.at(-1)?.created_at ?? "";
  return loaded && !hasAfter && newest >= (room.last_message_at ?? "");
}

/**
 * Whether two versions of a room are the same to a message's row: name, state and the reader's
 * role.
 */
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
