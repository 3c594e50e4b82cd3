import type {
  AnyInput,
  CallInput,
  ResponseOf,
  RouteName,
} from "../../../../src/snug-client/calls.ts";
import type { UnreadActivity } from "../../../../src/wire/activity.ts";
import type { ServerEvent } from "../../../../src/wire/events.ts";
import type { Direct, History, Me, Member, Message, MyRoom } from "../../../../src/wire/models.ts";
import type { Scheduled } from "../../../../src/wire/scheduled-messages.ts";
import type { ThreadFollow } from "../../../../src/wire/threads.ts";
import { type Conversation, toConversation } from "../model/conversation.ts";
import type { Follows } from "../model/follows.ts";
import { addJoins, toRuns } from "../model/joins.ts";
import {
  applyThread,
  changeEverywhere,
  insertMessage,
  withChanged,
} from "../model/message-list.ts";
import {
  emptyView,
  type RoomView,
  type State,
  type ThreadState,
  withoutRoom,
  withView,
} from "../model/model.ts";
import { applyUnread, forgetRead } from "../model/unread.ts";
import { withUsers } from "../model/users.ts";
import {
  applyPersonal,
  withActivity,
  withHidden,
  withSaved,
  withSavedList,
  withScheduled,
  withScheduledList,
  withSections,
  withServiceDrafts,
} from "../personal/personal.ts";
import {
  applyEvent,
  changeView,
  eventsOfView,
  replayOnList,
  withConversation,
  withMe,
  withMemberUpdate,
  withSomeMembers,
} from "./apply-event.ts";
import { threadOf, withFollow, withFollows, withThreadEvent } from "./thread-state.ts";

/** The response of a call, with the events that may be newer. */
export type Received = {
  route: RouteName;
  input: AnyInput;
  response: unknown;
  /** The state at the time of the request. */
  before: State;
  /** The events since the request. */
  events: readonly ServerEvent[];
};

/** What was loaded by several calls, or by one of several, with the events since the request. */
export type Loaded = { events: readonly ServerEvent[] } & (
  | { conversations: Conversation[] }
  /** Null if I am not in it. */
  | { id: string; conversation: Conversation | null }
  | { scheduled: Scheduled[] }
  /** `isWhole` says whether these are all threads that I follow. */
  | { follows: Follows; isWhole: boolean }
  /** A page replaces the messages of the view `key`, extends them, or only counts what is unread. */
  | { key: string; page: ViewPage; use: "replace" | "before" | "after" | "count" }
  /** All members of a room, or those of the people `of` who are members. */
  | { roomId: string; members: Member[]; of: "all" | ReadonlySet<string> }
);
type LoadedPage = Extract<Loaded, { page: unknown }>;
type LoadedMembers = Extract<Loaded, { members: unknown }>;

/** A page of a thread has more fields. */
export type ViewPage = History & { thread?: ThreadState; follow?: ThreadFollow };

/** What changes the state: an event from the socket, or the response of a call. */
export type Source = { event: ServerEvent; now: number } | Received | Loaded;

/**
 * The state after an event or a response, in whatever order they arrive: the version numbers
 * decide. Data without a number is taken from the response, with the events since the request
 * applied.
 */
export function receive(state: State, source: Source): State {
  if ("event" in source) return applyEvent(state, source.event, source.now);
  if (!("route" in source)) return receiveLoaded(state, source);
  const { route, response } = source;
  // Any response may contain newer versions of users.
  const next = withUsers(state, response);
  return eventsOf(source).reduce(
    (now, event) => applyEvent(now, event, 0),
    MERGES[route]?.(next, response as never, source as never) ?? next,
  );
}

/** The events in a source. Some responses count as events. */
export function eventsOf(source: Source): readonly ServerEvent[] {
  if ("event" in source) return [source.event];
  if (!("route" in source)) return [];
  return TO_EVENTS[source.route]?.(source.response as never, source as never) ?? [];
}

type Call<Name extends RouteName> = Omit<Received, "input"> & { input: CallInput<Name> };
type Merge<Name extends RouteName> = {
  merge(state: State, response: ResponseOf<Name>, call: Call<Name>): State;
}["merge"];
type ToEvents<Name extends RouteName> = {
  list(response: ResponseOf<Name>, call: Call<Name>): ServerEvent[];
}["list"];

/**
 * Responses that contain the same change as an event; the event that follows changes nothing more.
 */
const TO_EVENTS: { [Name in RouteName]?: ToEvents<Name> } = {
  "POST /api/rooms/read": ({ items }) => items.map((mark) => ({ type: "read", ...mark })),
  "PUT /api/messages/:id/thread/follow"(follow, { input, events }) {
    const thread_id = input.params.id;
    // The list that was loaded at the reconnect, or an event, has it.
    if (events.some(({ type }) => type === "hello")) return [];
    const isLater = (event: ServerEvent) =>
      (event.type === "thread_follow" || event.type === "thread_read") &&
      event.thread_id === thread_id;
    return [{ type: "thread_follow", thread_id, ...follow }, ...events.filter(isLater)];
  },
};

const mergeMe = (state: State, me: Me) => (state.me?.id === me.id ? withMe(state, me) : state);

function mergePlace(state: State, place: MyRoom | Direct, { events }: Pick<Received, "events">) {
  return mergeConversation(state, place.id, toConversation(place), events);
}

function receiveLoaded(state: State, source: Loaded): State {
  const { events } = source;
  if ("conversations" in source) return mergeConversations(state, source.conversations, events);
  if ("id" in source) return mergeConversation(state, source.id, source.conversation, events);
  if ("scheduled" in source) return replay(withScheduledList(state, source.scheduled), source);
  if ("page" in source) return mergePage(state, source);
  if ("members" in source) return mergeMembers(state, source);
  return events.reduce(withThreadEvent, withFollows(state, source.follows, source.isWhole));
}

/**
 * Merges a conversation. What has no number is as events since the request say: whether I am in it,
 * and who is online.
 * @param room null if I am not in it
 */
function mergeConversation(
  state: State,
  id: string,
  room: Conversation | null,
  events: readonly ServerEvent[],
): State {
  const newState = room ? withConversation(state, room) : withoutRoom(state, id);
  return events.filter((event) => roomOf(event) === id).reduce(replayOnList, newState);
}

/** Merges the whole list of my conversations. */
function mergeConversations(
  state: State,
  all: Conversation[],
  events: readonly ServerEvent[],
): State {
  const before = { ...state, conversations: state.conversations ?? {} };
  // Read marks of this page may not have reached the service; what is still on the screen is marked
  // as read again.
  const merge = (now: State, room: Conversation) =>
    withConversation(forgetRead(now, room.id), room);
  return events.reduce(replayOnList, all.reduce(merge, before));
}

/** Merges a page of a view. It states which events it includes; later ones are applied to it. */
function mergePage(state: State, { key, page, use, events }: LoadedPage): State {
  const view = state.views[key] ?? emptyView;
  const { seq, unread: count } = page;
  const unread = count && {
    since: count.last_read_at,
    count: count.count,
    seq,
    readerId: state.me?.id,
  };
  const later = eventsOfView(key, view, events).filter((event) => event.seq > seq);
  const catchUp = (now: RoomView) => later.reduce(changeView, now);
  switch (use) {
    case "count":
      if (!unread || !view.loaded) return state;
      return withView(state, key, { unread: catchUp({ ...view, unread }).unread });
    case "before":
    case "after": {
      const messages = page.items.reduce(insertMessage, view.messages);
      const joins = addJoins(view.joins, toRuns(page.joins));
      const more =
        use === "before" ? { hasBefore: page.has_more_before } : { hasAfter: page.has_more_after };
      return withView(state, key, catchUp({ ...view, messages, joins, ...more }));
    }
    case "replace": {
      const complete = catchUp({
        ...view,
        messages: page.items,
        joins: toRuns(page.joins),
        hasBefore: page.has_more_before,
        hasAfter: page.has_more_after,
        ...(unread && { unread }),
        ...(page.thread && { thread: page.thread }),
      });
      // Up to here the page is complete, with the events that follow it without a gap.
      const last = later.reduce((now, event) => (event.seq === now + 1 ? event.seq : now), seq);
      const next = {
        ...complete,
        seq: Math.max(view.seq ?? 0, last),
        loaded: true,
        problem: null,
        stuck: null,
      };
      return mergeFollow(withView(state, key, next), page, events);
    }
  }
}

/** Merges whether I follow the thread of a page. A list loaded since a reconnect is newer. */
function mergeFollow(state: State, page: ViewPage, events: readonly ServerEvent[]): State {
  const { root } = page.thread ?? {};
  if (!root || !page.follow) return state;
  if (state.threads?.[root.id] && events.some(({ type }) => type === "hello")) return state;
  const threads = withFollow(state.threads, root.id, page.follow, root);
  const later = events.filter((event) => threadOf(event) === root.id);
  return later.reduce(withThreadEvent, { ...state, threads });
}

/** Merges members of a room. Members who change are in events. */
function mergeMembers(state: State, { roomId, members, of, events }: LoadedMembers): State {
  const next =
    of === "all"
      ? withView(state, roomId, { members })
      : withSomeMembers(state, roomId, of, members);
  return events
    .filter((event) => event.type === "member_updated")
    .filter(({ room_id }) => room_id === roomId)
    .reduce(withMemberUpdate, next);
}

function roomOf(event: ServerEvent): string | null | undefined {
  if ("room_id" in event) return event.room_id;
  return "direct" in event ? event.direct.id : "room" in event ? event.room.id : null;
}

/**
 * Merges a message, unless something has happened in its room since: the change then also arrives
 * as an event.
 */
function mergeMessage(state: State, message: Message, { before }: Pick<Received, "before">): State {
  return withChanged(state, message, before.views[message.room_id]?.seq ?? null);
}

function mergeActivity(state: State, unread: UnreadActivity, { events }: Pick<Received, "events">) {
  const later = events.filter((event) => event.type === "activity_updated");
  return later.reduce((now, event) => applyEvent(now, event, 0), withActivity(state, unread));
}

const replay = (state: State, { events }: Pick<Received, "events">) =>
  events.reduce(applyPersonal, state);

function mergeScheduled(
  state: State,
  scheduled: ResponseOf<"POST /api/scheduled">,
  call: Pick<Received, "events">,
): State {
  return replay(withScheduled(state, scheduled.id, scheduled), call);
}

const MERGES: { [Name in RouteName]?: Merge<Name> } = {
  "GET /api/auth/me": mergeMe,
  "PATCH /api/auth/me": mergeMe,
  "PUT /api/auth/me/avatar": mergeMe,
  "DELETE /api/auth/me/avatar": (state) =>
    state.me ? withMe(state, { ...state.me, avatar_url: null }) : state,
  "POST /api/custom-themes/:id/activate": mergeMe,
  "GET /api/auth/me/sections": withSections,
  "PUT /api/auth/me/sections": withSections,
  "POST /api/rooms": mergePlace,
  "PATCH /api/rooms/:id": mergePlace,
  "POST /api/rooms/:id/join": mergePlace,
  "POST /api/rooms/:id/transfer": mergePlace,
  "PATCH /api/rooms/:id/membership": mergePlace,
  "GET /api/direct": (state, { items }, call) =>
    // A query for people also finds hidden conversations. The whole list is loaded by
    // `MyConversations`.
    call.input.query?.user_ids
      ? items.reduce((now, direct) => mergePlace(now, direct, call), state)
      : state,
  "POST /api/direct": mergePlace,
  "POST /api/direct/:id/members": mergePlace,
  "POST /api/direct/:id/room": mergePlace,
  "POST /api/rooms/:id/unread": (state, mark, { input }) =>
    applyUnread(state, input.params.id, mark),
  "GET /api/activity/unread": mergeActivity,
  "POST /api/activity/read": mergeActivity,
  "PATCH /api/messages/:id": mergeMessage,
  "PUT /api/messages/:id/pin": mergeMessage,
  "DELETE /api/messages/:id": (state, _, { input }) => withHidden(state, input.params.id),
  "POST /api/messages/:id/reactions": (state, { reactions }, { input, events }) =>
    withReactions(state, input.params.id, reactions, events),
  "PATCH /api/messages/:id/thread": (state, thread, { input, before }) => {
    const { id } = input.params;
    const view = state.views[id];
    if (!view || view.seq !== before.views[id]?.seq) return state;
    return withView(state, id, applyThread(view, id, thread));
  },
  "GET /api/saved/ids": (state, list, call) => replay(withSavedList(state, list), call),
  "PUT /api/saved/:message_id": (state, _, call) =>
    replay(withSaved(state, call.input.params.message_id, true), call),
  "DELETE /api/saved/:message_id": (state, _, call) =>
    replay(withSaved(state, call.input.params.message_id, false), call),
  "POST /api/saved/:message_id/done": (state, _, call) =>
    replay(withSaved(state, call.input.params.message_id, false), call),
  "GET /api/drafts": (state, { items }) => withServiceDrafts(state, items),
  "POST /api/scheduled": mergeScheduled,
  "PATCH /api/scheduled/:id": mergeScheduled,
  "POST /api/scheduled/:id/send-now": (state, _, call) =>
    replay(withScheduled(state, call.input.params.id, null), call),
  "DELETE /api/scheduled/:id": (state, _, call) =>
    replay(withScheduled(state, call.input.params.id, null), call),
};

/** The rooms and conversations that a response is about. */
export function placesOf({ route, input, response }: Received): (MyRoom | Direct)[] {
  if (MERGES[route] === mergePlace) return [response as MyRoom | Direct];
  const isList = route === "GET /api/direct" && input.query && "user_ids" in input.query;
  return isList ? (response as ResponseOf<"GET /api/direct">).items : [];
}

/**
 * The state with the reactions of a response, and those added or removed by events since the
 * request.
 */
function withReactions(
  state: State,
  id: string,
  response: Message["reactions"],
  events: readonly ServerEvent[],
): State {
  const later = events.findLast((event) => event.type === "reaction" && event.message_id === id);
  const reactions = later?.type === "reaction" ? later.reactions : response;
  return changeEverywhere(state, id, (message) => ({ ...message, reactions }));
}
