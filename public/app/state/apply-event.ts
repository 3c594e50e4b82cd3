import type { RoomEvent, ServerEvent, UnreadEvent } from "../../../src/wire/events.ts";
import type { Message } from "../../../src/wire/models.ts";
import { type RoomView, type State, withoutRoom, withRoom, withView, wrote } from "./model.ts";

const TYPING_MS = 4_000;

/**
 * What an event makes of the state: the one place that knows. The state after an event equals the
 * state loaded afresh.
 * @param now in ms, for what passes by itself
 */
export function applyEvent(state: State, event: ServerEvent, now: number): State {
  switch (event.type) {
    case "message":
    case "message_update":
    case "message_delete":
    case "reaction":
    case "link_preview":
    case "member_added":
    case "member_removed":
      return applyRoomEvent(state, event);
    case "room_updated":
      return applyRoomEvent(withRoom(state, event.room_id, event.room), event);
    case "room_added":
      return state.rooms
        ? { ...state, rooms: { ...state.rooms, [event.room.id]: event.room } }
        : state;
    case "room_removed":
      return withoutRoom(state, event.room_id);
    case "unread":
      return applyUnread(state, event);
    case "read":
      return applyRead(state, event.room_id, event.last_read_at);
    case "me_updated":
      return { ...state, me: event.user };
    case "typing": {
      const typing = { ...state.views[event.room_id]?.typing, [event.user_id]: now + TYPING_MS };
      return event.user_id === state.me?.id ? state : withView(state, event.room_id, { typing });
    }
    case "member_updated":
      return stale(state, event.room_id);
    default:
      return state;
  }
}

/** Events of a room's log: each number is applied once, and only while the room is followed. */
function applyRoomEvent(state: State, event: RoomEvent): State {
  const view = state.views[event.room_id];
  if (!view || view.seq === null || event.seq <= view.seq) return state;
  const next = withView(state, event.room_id, { ...changeView(view, event), seq: event.seq });
  if (event.type === "message") return afterMessage(next, event.message);
  if (event.type === "message_update" || event.type === "message_delete") {
    return recount(next, event.room_id);
  }
  if (event.type === "member_added") return count(stale(next, event.room_id), event.room_id, 1);
  if (event.type === "member_removed") return count(stale(next, event.room_id), event.room_id, -1);
  return next;
}

function changeView(view: RoomView, event: RoomEvent): Partial<RoomView> {
  switch (event.type) {
    case "message":
      // With a hole before it, the newest is loaded when it is scrolled to.
      return view.hasAfter ? {} : { messages: insert(view.messages, event.message) };
    case "message_update":
      return { messages: change(view, event.message.id, (m) => keepOwn(m, event.message)) };
    case "message_delete":
      return { messages: view.messages.filter((m) => m.id !== event.message_id) };
    case "reaction": {
      const { reactions } = event;
      return { messages: change(view, event.message_id, (m) => ({ ...m, reactions })) };
    }
    case "link_preview": {
      const { preview } = event;
      return { messages: change(view, event.message_id, (m) => ({ ...m, preview })) };
    }
    default:
      return {};
  }
}

function change(view: RoomView, id: string, edit: (message: Message) => Message): Message[] {
  return view.messages.map((message) => (message.id === id ? edit(message) : message));
}

/** Envelopes are for all, and so leave out the author's own `client_id`. */
function keepOwn(known: Message, told: Message): Message {
  return { ...told, client_id: told.client_id ?? known.client_id };
}

/** Puts a message in its place, once. */
export function insert(messages: Message[], message: Message): Message[] {
  const known = messages.findIndex((m) => m.id === message.id);
  if (known !== -1) return messages.with(known, keepOwn(messages[known] as Message, message));
  const after = messages.findLastIndex((m) => m.seq < message.seq);
  return messages.toSpliced(after + 1, 0, message);
}

function afterMessage(state: State, message: Message): State {
  const view = state.views[message.room_id];
  const typing = { ...view?.typing };
  delete typing[message.author.id];
  const next = withView(state, message.room_id, { typing });
  const room = next.rooms?.[message.room_id];
  if (!room) return next;
  const isMine = wrote(next.me, message);
  const membership = room.membership && {
    ...room.membership,
    unread: room.membership.unread || !isMine,
    mention_count: room.membership.mention_count + mentionsMe(next, message),
  };
  return withRoom(next, room.id, { last_message_at: message.created_at, membership });
}

/** 1 if it is someone else's and mentions me. */
function mentionsMe({ me }: State, message: Message): 0 | 1 {
  const { mentions } = message;
  const isMine = wrote(me, message);
  return !isMine && mentions.some(({ user_id }) => user_id === me?.id) ? 1 : 0;
}

/**
 * What is unread, counted again from the messages that are known, if they reach back to the mark:
 * an edit may name me or no longer do so, and what is deleted counts no more.
 */
function recount(state: State, roomId: string): State {
  const view = state.views[roomId];
  const membership = state.rooms?.[roomId]?.membership;
  if (!membership || !view?.loaded || view.hasAfter) return state;
  const { last_read_at } = membership;
  const isWhole = !view.hasBefore || (view.messages[0]?.created_at ?? "") <= last_read_at;
  if (!isWhole) return state;
  const unread = view.messages.filter(
    (message) => message.created_at > last_read_at && !wrote(state.me, message),
  );
  const mention_count = unread.filter((message) => mentionsMe(state, message)).length;
  return withRoom(state, roomId, {
    membership: { ...membership, unread: unread.length > 0, mention_count },
  });
}

/** Those that mention me may overtake those that do not. */
function applyUnread(state: State, event: UnreadEvent): State {
  const room = state.rooms?.[event.room_id];
  if (!room?.membership || event.author_id === state.me?.id) return state;
  const mention_count = room.membership.mention_count + (event.mention ? 1 : 0);
  const isNewest = room.last_message_at === null || room.last_message_at < event.created_at;
  return withRoom(state, event.room_id, {
    last_message_at: isNewest ? event.created_at : room.last_message_at,
    membership: { ...room.membership, unread: true, mention_count },
  });
}

/** The mark says up to when all is read. */
export function applyRead(state: State, roomId: string, lastReadAt: string): State {
  const room = state.rooms?.[roomId];
  if (!room?.membership || room.membership.last_read_at > lastReadAt) return state;
  const newer = room.last_message_at !== null && room.last_message_at > lastReadAt;
  const membership = {
    ...room.membership,
    last_read_at: lastReadAt,
    unread: newer && room.membership.unread,
    mention_count: newer ? room.membership.mention_count : 0,
  };
  const next = withRoom(state, roomId, { membership });
  // Of a room that is not looked at, the newest messages are not known.
  const newest = state.views[roomId]?.messages.at(-1)?.created_at ?? "";
  return newest >= (room.last_message_at ?? "") ? recount(next, roomId) : next;
}

function stale(state: State, roomId: string): State {
  const view = state.views[roomId];
  return view ? withView(state, roomId, { membersStale: view.membersStale + 1 }) : state;
}

function count(state: State, roomId: string, by: number): State {
  const room = state.rooms?.[roomId];
  return room ? withRoom(state, roomId, { member_count: room.member_count + by }) : state;
}
