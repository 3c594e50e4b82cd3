import type { RoomEvent, ServerEvent } from "../../../src/wire/events.ts";
import type { Message, Role, Room } from "../../../src/wire/models.ts";
import { each, mapped, toUser, withPeople } from "./people.ts";
import { type RoomView, type State, withoutRoom, withRoom, withView, wrote } from "./model.ts";
import { applyRead, applyUnread, mentionsMe, recount } from "./unread.ts";

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
      return applyRoomEvent(applyRoom(state, event.room), event);
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
      return withPeople({ ...state, me: event.user }, [toUser(event.user)]);
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

/** A room as all see it: what I am in it follows where I own it, or no longer do. */
function applyRoom(state: State, room: Room): State {
  const membership = state.rooms?.[room.id]?.membership ?? null;
  const isMine = room.owner.id === state.me?.id;
  const wasMine = membership?.role === "owner";
  const role: Role | undefined = isMine ? "owner" : wasMine ? "admin" : membership?.role;
  const mine = membership && role ? { ...membership, role } : membership;
  const next = withRoom(state, room.id, { ...room, membership: mine });
  return { ...next, views: mapped(next.views, (view) => renameIn(view, room)) };
}

/** Messages name rooms as they are called now. */
function renameIn(view: RoomView, { id, name }: Room): RoomView {
  const messages = each(view.messages, (message: Message) => {
    const isNamed = message.room_references.some((one) => one.room_id === id && one.name !== name);
    if (!isNamed) return message;
    const room_references = message.room_references.map((one) =>
      one.room_id === id ? { ...one, name } : one,
    );
    return { ...message, room_references };
  });
  return messages === view.messages ? view : { ...view, messages };
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

function stale(state: State, roomId: string): State {
  const view = state.views[roomId];
  return view ? withView(state, roomId, { membersStale: view.membersStale + 1 }) : state;
}

function count(state: State, roomId: string, by: number): State {
  const room = state.rooms?.[roomId];
  return room ? withRoom(state, roomId, { member_count: room.member_count + by }) : state;
}
