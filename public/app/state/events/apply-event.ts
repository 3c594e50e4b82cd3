import type { RoomEvent, ServerEvent } from "../../../../src/wire/events.ts";
import type { Me, Member, Message } from "../../../../src/wire/models.ts";
import { type Conversation, directOf, toConversation, toMembers } from "../model/conversation.ts";
import { addEntry, type Entry, mergeReadMark, mergeRoom } from "../model/ledger.ts";
import {
  applyDeletion,
  applyEdit,
  applyThread,
  changeMessage,
  insertMessage,
  mapItems,
  withSent,
} from "../model/message-list.ts";
import {
  conversationById,
  isAuthor,
  type RoomView,
  type State,
  toGone,
  withLedger,
  withoutRoom,
  withView,
  ledgerOf,
} from "../model/model.ts";
import { addJoins, toRun } from "../model/joins.ts";
import { countNew, mentionsMe, mentionsMeNow } from "../model/unread.ts";
import { withMeAsUser, withUsers } from "../model/users.ts";
import {
  applyPersonal,
  countMentions,
  withActivity,
  withNewMention,
} from "../personal/personal.ts";
import { withThreadEvent } from "./thread-state.ts";
import { isOfLog } from "../../../../src/wire/event-kinds.ts";

const TYPING_MS = 4_000;

type EventOf<T extends ServerEvent["type"]> = Extract<ServerEvent, { type: T }>;

/** The changes of a room-log event, besides the room's number. */
type LogChange<E extends RoomEvent> = {
  toEntry?(state: State, event: E): Entry | null;
  changeView?(view: RoomView, event: E): Partial<RoomView>;
};

const LOG_CHANGES: { [T in RoomEvent["type"]]: LogChange<EventOf<T>> } = {
  message: {
    toEntry(state, { seq, message }) {
      const { id, created_at: at } = message;
      const isNews = !isAuthor(state.me, message);
      const isMention = isNews && (isDirect(state, message) || mentionsMe(state.me, message));
      return { seq, kind: "message", id, at, isNews, isMention };
    },
    changeView(view, { message, root_thread }) {
      const { [message.author.id]: _, ...typing } = view.typing;
      const { thread_id } = message;
      const changed = thread_id && root_thread ? applyThread(view, thread_id, root_thread) : {};
      const { messages, thread } = { ...view, ...changed };
      // There is a gap before this message, which is loaded when the reader scrolls there.
      if (view.hasAfter || (thread && thread.id !== thread_id)) return { typing, ...changed };
      return { typing, ...changed, messages: insertMessage(messages, message) };
    },
  },
  message_update: {
    toEntry: (state, { seq, message }) => ({
      seq,
      kind: "edit",
      id: message.id,
      isMention: isDirect(state, message) || mentionsMeNow(state.me, message),
    }),
    changeView: (view, { message }) => applyEdit(view, message),
  },
  message_delete: {
    toEntry: (_, { seq, message_id: id, created_at: at }) => ({ seq, kind: "delete", id, at }),
    changeView: (view, { message_id }) => applyDeletion(view, message_id),
  },
  thread: {
    changeView(view, { message_id, thread }) {
      const changed = { ...view, ...applyThread(view, message_id, thread) };
      if (thread || changed.thread?.id !== message_id) return changed;
      // Nobody follows a thread whose replies were all deleted.
      return { ...changed, thread: { ...toGone(changed.thread), root: changed.thread.root } };
    },
  },
  reaction: {
    changeView: (view, { message_id, reactions }) =>
      changeMessage(view, message_id, (message) => ({ ...message, reactions })),
  },
  link_preview: {
    changeView: (view, { message_id, preview }) =>
      changeMessage(view, message_id, (message) => ({ ...message, preview })),
  },
  pin: {
    toEntry: (_, { seq, pin_count, newest_pin }) => ({ seq, kind: "pins", pin_count, newest_pin }),
    changeView: (view, { message_id, pinned }) =>
      changeMessage(view, message_id, (message) => ({ ...message, pinned })),
  },
  room_updated: {
    toEntry: (_, { seq, room }) => ({ seq, kind: "room", room }),
  },
  member_added: {
    toEntry: (_, { seq }) => ({ seq, kind: "members", by: 1 }),
    changeView: ({ joins, hasAfter, thread }, { seq, user_id }) =>
      hasAfter || thread ? {} : { joins: addJoins(joins, [toRun(seq, user_id)]) },
  },
  member_removed: {
    toEntry: (_, { seq }) => ({ seq, kind: "members", by: -1 }),
    changeView(view, { user_id }) {
      const { [user_id]: _, ...typing } = view.typing;
      return { typing };
    },
  },
};

type OtherEvent = Exclude<ServerEvent, RoomEvent>;
type Apply<E extends OtherEvent> = { apply(state: State, event: E, now: number): State }["apply"];
const unchanged = (state: State) => state;

const OTHER_CHANGES: { [T in OtherEvent["type"]]: Apply<EventOf<T>> } = {
  room_added: (state, { room }) => withConversation(state, toConversation(room)),
  membership_updated: (state, { room }) => withConversation(state, toConversation(room)),
  room_removed: (state, event) =>
    wasAddedAgain(state, event) ? state : withoutRoom(state, event.room_id),
  unread(state, { room_id, seq, message_id: id, created_at: at, author_id, mention: isMention }) {
    const isNews = author_id === null || author_id !== state.me?.id;
    return addToRoom(state, room_id, { seq, kind: "message", id, at, isNews, isMention });
  },
  unread_changed(
    state,
    { kind, room_id, room_seq: seq, message_id: id, is_deleted, created_at: at },
  ) {
    const entry: Entry = is_deleted
      ? { seq, kind: "delete", id, at }
      : { seq, kind: "edit", id, isMention: kind === "direct" ? true : null };
    return addToRoom(state, room_id, entry);
  },
  read(state, event) {
    const ledger = ledgerOf(state, event.room_id);
    return ledger ? withLedger(state, event.room_id, mergeReadMark(ledger, event)) : state;
  },
  saved: applyPersonal,
  scheduled: applyPersonal,
  // Loaded again by `PersonalLists`.
  scheduled_failed: unchanged,
  sections_updated: unchanged,
  // Handled by `DraftSync`, which has the text that is being written.
  draft: unchanged,
  // Handled by the store, because the team is also shown before the sign-in.
  team_updated: unchanged,
  // Handled by `withThreadEvent`.
  thread_read: unchanged,
  thread_follow: unchanged,
  direct_added: (state, { direct }) => withConversation(state, toConversation(direct)),
  direct_updated: (state, { direct }) => withConversation(state, toConversation(direct)),
  activity_updated: (state, { unread }) => withActivity(state, unread),
  me_updated: (state, { user }) => withMe(state, user),
  typing(state, { room_id, user_id }, now) {
    const typing = { ...state.views[room_id]?.typing, [user_id]: now + TYPING_MS };
    return user_id === state.me?.id ? state : withView(state, room_id, { typing });
  },
  member_updated: (state, event) => withMemberUpdate(withPartners(state, event), event),
  // Handled by the synchronization of rooms and the connection.
  hello: unchanged,
  joined: unchanged,
  resync: unchanged,
  left: unchanged,
  ack: (state, event) => ("message" in event ? withSent(state, event.message) : state),
  pong: unchanged,
  error: unchanged,
};

/**
 * The state after an event, equal to a newly loaded state. An event type of a newer version only
 * advances the room's number, if it is a room-log event.
 * @param now in ms, for entries that expire
 */
export function applyEvent(state: State, event: ServerEvent, now: number): State {
  const current = withUsers(state, event);
  if (isOfLog(event)) return withThreadEvent(applyLogEvent(current, event), event);
  const apply: Apply<OtherEvent> = OTHER_CHANGES[event.type] ?? unchanged;
  return withThreadEvent(apply(current, event, now), event);
}

/**
 * Applies an event again, to a response about my conversations whose request is older. Only their
 * list changes, whatever the event changes besides.
 */
export function replayOnList(state: State, event: ServerEvent): State {
  if (isOfLog(event)) return addToRoom(state, event.room_id, toEntry(state, event));
  return LIST_EVENTS.has(event.type) ? OTHER_CHANGES[event.type](state, event as never, 0) : state;
}

const LIST_EVENTS = new Set<OtherEvent["type"]>([
  "room_added",
  "room_removed",
  "membership_updated",
  "direct_added",
  "direct_updated",
  "member_updated",
  "read",
  "unread",
  "unread_changed",
]);

function isDirect(state: State, { room_id }: Message): boolean {
  return conversationById(state, room_id)?.kind === "direct";
}

/** Whether I was added again after the removal. */
function wasAddedAgain(state: State, { room_id, room_seq }: Removal): boolean {
  const roomSeq = ledgerOf(state, room_id)?.room.seq;
  return roomSeq !== undefined && room_seq !== null && roomSeq > room_seq;
}

type Removal = Extract<ServerEvent, { type: "room_removed" }>;

/**
 * The state after an event of a room's log. The list of conversations applies events by their
 * numbers. The views of the room and of its threads apply only the event after their last one, so
 * that they never skip an event.
 */
function applyLogEvent(state: State, event: RoomEvent): State {
  let next = addToRoom(withoutMember(state, event), event.room_id, toEntry(state, event));
  for (const [id, view] of Object.entries(next.views)) {
    if (!isOfView(id, view, event) || view.seq === null || event.seq !== view.seq + 1) continue;
    next = withView(next, id, { ...changeView(view, event), seq: event.seq });
  }
  return next;
}

/** Whether an event is in the log of a room's or thread's view. */
function isOfView(key: string, { thread }: RoomView, event: RoomEvent): boolean {
  return (thread?.roomId ?? key) === event.room_id;
}

/** The events of a view, sorted by number. */
export function eventsOfView(
  key: string,
  view: RoomView,
  events: readonly ServerEvent[],
): RoomEvent[] {
  return events
    .filter(isOfLog)
    .filter((event) => isOfView(key, view, event))
    .toSorted((a, b) => a.seq - b.seq);
}

function toEntry(state: State, event: RoomEvent): Entry | null {
  return changeOf(event).toEntry?.(state, event) ?? null;
}

function changeOf({ type }: RoomEvent): LogChange<RoomEvent> {
  return Object.hasOwn(LOG_CHANGES, type) ? LOG_CHANGES[type] : {};
}

export function changeView(view: RoomView, event: RoomEvent): RoomView {
  const change = changeOf(event).changeView?.(view, event);
  return { ...view, ...change, unread: countNew(view, event) };
}

function addToRoom(state: State, roomId: string, entry: Entry | null): State {
  const ledger = ledgerOf(state, roomId);
  if (!ledger || !entry) return state;
  const next = withLedger(state, roomId, addEntry(ledger, entry, state.me?.id));
  const isMore = countMentions(next, roomId) > countMentions(state, roomId);
  return entry.kind === "message" && isMore ? withNewMention(next, roomId, entry.seq) : next;
}

/** Applies a response about one of my conversations. */
export function withConversation(state: State, room: Conversation): State {
  const { id, membership } = room;
  if (!membership) return withoutRoom(state, id);
  // The list is being loaded; a single conversation would look like the whole list.
  if (!state.conversations) return state;
  const next = withLedger(state, id, mergeRoom(ledgerOf(state, id), room));
  const shown = conversationById(next, id);
  if (shown?.kind !== "direct") return next;
  // Only this response has the people of a direct conversation.
  return next.views[id]?.members ? withView(next, id, { members: toMembers(shown.direct) }) : next;
}

/** Updates which people of a direct conversation are online. */
function withPartners(state: State, { room_id, members }: EventOf<"member_updated">): State {
  const ledger = ledgerOf(state, room_id);
  const direct = ledger && directOf(ledger.room);
  if (!direct || !members) return state;
  const statusOf = new Map(members.map(({ user, status }) => [user.id, status]));
  const partners = mapItems(direct.members, (member) => {
    const status = statusOf.get(member.user.id);
    return status && status !== member.status ? { ...member, status } : member;
  });
  if (partners === direct.members) return state;
  const room = { ...ledger.room, direct: { ...direct, members: partners } };
  return withLedger(state, room_id, { ...ledger, room });
}

/** The people of an update; null if there are too many to name. */
export function idsOfUpdate({ user_ids, members }: MemberUpdate): ReadonlySet<string> | null {
  const ids = user_ids ?? members?.map(({ user }) => user.id);
  return ids ? new Set(ids) : null;
}
type MemberUpdate = EventOf<"member_updated">;

/** Merges the members whom an update contains. */
export function withMemberUpdate(state: State, event: MemberUpdate): State {
  const ids = idsOfUpdate(event);
  return ids && event.members ? withSomeMembers(state, event.room_id, ids, event.members) : state;
}

/** A removal also applies to the list of members where the view has missed events. */
function withoutMember(state: State, event: RoomEvent): State {
  if (event.type !== "member_removed") return state;
  return withSomeMembers(state, event.room_id, new Set([event.user_id]), []);
}

/**
 * Replaces some of a room's members.
 * @param ids the requested people; those missing from the response are not members
 */
export function withSomeMembers(
  state: State,
  roomId: string,
  ids: ReadonlySet<string>,
  some: Member[],
): State {
  const before = state.views[roomId]?.members;
  if (!before) return state;
  const ledger = ledgerOf(state, roomId);
  const direct = ledger && directOf(ledger.room);
  // People of a conversation count as members since it began, as in a loaded list.
  const changedMembers = direct ? toMembers({ ...direct, members: some }) : some;
  const members = [...before.filter(({ user }) => !ids.has(user.id)), ...changedMembers];
  members.sort((a, b) => (a.user.username < b.user.username ? -1 : 1));
  return withView(state, roomId, { members });
}

/** Updates my account, unless the current state is newer. */
export function withMe(state: State, me: Me): State {
  if (state.me && me.id === state.me.id && me.version < state.me.version) return state;
  return withMeAsUser({ ...state, me }, me);
}
