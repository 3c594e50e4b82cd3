import type { RoomEvent, ServerEvent } from "../../../src/wire/events.ts";
import type { Me, Message, MyRoom, Room } from "../../../src/wire/models.ts";
import { addEntry, type Entry, takeMark, takeRoom } from "./ledger.ts";
import { each, mapped, toUser, withPeople } from "./people.ts";
import { type RoomView, type State, withLedger, withoutRoom, withView, wrote } from "./model.ts";
import { mentionsMe } from "./unread.ts";

const TYPING_MS = 4_000;

/**
 * What an event makes of the state: the one place that knows. The state after an event equals the
 * state loaded afresh.
 * @param now in ms, for what passes by itself
 */
export function applyEvent(state: State, event: ServerEvent, now: number): State {
  switch (event.type) {
    case "room_updated":
      return applyLogEvent(withRoomName(state, event.room), event);
    case "room_added":
    case "membership_updated":
      return withAnswer(state, event.room);
    case "room_removed":
      return isPast(state, event) ? state : withoutRoom(state, event.room_id);
    case "unread": {
      const { seq, message_id: id, created_at: at, author_id, mention } = event;
      const isNews = author_id === null || author_id !== state.me?.id;
      const entry: Entry = { seq, kind: "message", id, at, isNews, isMention: mention };
      return addToRoom(state, event.room_id, entry);
    }
    case "unread_changed": {
      const { room_seq: seq, message_id: id, is_deleted } = event;
      const entry: Entry = is_deleted
        ? { seq, kind: "delete", id }
        : { seq, kind: "edit", id, isMention: null };
      return addToRoom(state, event.room_id, entry);
    }
    case "read": {
      const ledger = state.ledgers[event.room_id];
      return ledger ? withLedger(state, event.room_id, takeMark(ledger, event)) : state;
    }
    case "me_updated":
      return withMe(state, event.user);
    case "typing": {
      const typing = { ...state.views[event.room_id]?.typing, [event.user_id]: now + TYPING_MS };
      return event.user_id === state.me?.id ? state : withView(state, event.room_id, { typing });
    }
    default:
      // Those of types that are not known here move the number, and change nothing.
      return isOfLog(event) ? applyLogEvent(state, event) : state;
  }
}

/** The state with an answer about one of my rooms. */
export function withAnswer(state: State, room: MyRoom): State {
  if (!room.membership) return withoutRoom(state, room.id);
  // Not one room alone, as if it were all: the list is under way.
  if (!state.rooms) return state;
  const next = withRoomName(state, room);
  return withLedger(next, room.id, takeRoom(next.ledgers[room.id], room));
}

/** Me, as the newest of the answers and events has it. */
export function withMe(state: State, me: Me): State {
  if (state.me && me.id === state.me.id && me.version < state.me.version) return state;
  return withPeople({ ...state, me }, [toUser(me)]);
}

/** Whether I was added again since that removal. */
function isPast(state: State, { room_id, room_seq }: Removal): boolean {
  const known = state.ledgers[room_id]?.room.seq;
  return known !== undefined && room_seq !== null && known > room_seq;
}

type Removal = Extract<ServerEvent, { type: "room_removed" }>;

/** Whether an event has a number in its room's log; `unread` has the number of its message. */
export function isOfLog(event: ServerEvent): event is RoomEvent {
  return "seq" in event && event.type !== "joined" && event.type !== "unread";
}

function withRoomName(state: State, room: Room): State {
  const views = mapped(state.views, (view) => renameIn(view, room));
  return views === state.views ? state : { ...state, views };
}

/** Messages name rooms as they are called now. */
function renameIn(view: RoomView, { id, name }: Room): RoomView {
  const messages = each(view.messages, (message: Message) => {
    const isNamed = message.room_references.some((one) => one.room_id === id && one.name !== name);
    if (!isNamed) return message;
    const room_references = message.room_references
      .map((one) => (one.room_id === id ? { ...one, name } : one))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return { ...message, room_references };
  });
  return messages === view.messages ? view : { ...view, messages };
}

/**
 * Events of a room's log. What the list of rooms shows takes each by its number; a view only takes the
 * one after the last, so that it never passes over one that it has not seen.
 */
function applyLogEvent(state: State, event: RoomEvent): State {
  const next = addToRoom(state, event.room_id, toEntry(state, event));
  const view = next.views[event.room_id];
  if (!view || view.seq === null || event.seq !== view.seq + 1) return next;
  return withView(next, event.room_id, { ...changeView(view, event), seq: event.seq });
}

function addToRoom(state: State, roomId: string, entry: Entry | null): State {
  const ledger = state.ledgers[roomId];
  if (!ledger || !entry) return state;
  return withLedger(state, roomId, addEntry(ledger, entry, state.me?.id));
}

/** An event as far as the list of rooms shows it. */
function toEntry(state: State, event: RoomEvent): Entry | null {
  const { seq } = event;
  switch (event.type) {
    case "message": {
      const { id, created_at: at } = event.message;
      const isNews = !wrote(state.me, event.message);
      return { seq, kind: "message", id, at, isNews, isMention: mentionsMe(state, event.message) };
    }
    case "message_update": {
      const isMention = mentionsMe(state, event.message);
      return { seq, kind: "edit", id: event.message.id, isMention };
    }
    case "message_delete":
      return { seq, kind: "delete", id: event.message_id };
    case "member_added":
      return { seq, kind: "members", by: 1 };
    case "member_removed":
      return { seq, kind: "members", by: -1 };
    case "room_updated":
      return { seq, kind: "room", room: event.room };
    default:
      return null;
  }
}

/** What an event makes of a room's history. */
export function changeView(view: RoomView, event: RoomEvent): Partial<RoomView> {
  switch (event.type) {
    case "message": {
      const { [event.message.author.id]: _, ...typing } = view.typing;
      // With a hole before it, the newest is loaded when it is scrolled to.
      if (view.hasAfter) return { typing };
      return { typing, messages: insert(view.messages, event.message) };
    }
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

/**
 * The state with a message that the service has just acknowledged. Where its event has come before,
 * that has it as it is since: only `client_id` is left out of events.
 */
export function withSent(state: State, message: Message): State {
  const view = state.views[message.room_id];
  if (!view || view.hasAfter || !view.loaded) return state;
  const isKnown = view.messages.some(({ id }) => id === message.id);
  if (!isKnown && view.seq !== null && message.seq <= view.seq) return state;
  const messages = isKnown
    ? change(view, message.id, (known) => keepOwn(message, known))
    : insert(view.messages, message);
  return withView(state, message.room_id, { messages });
}

/**
 * The state with what a call has answered about a message, unless something happened in the room
 * since it was asked for: the answer may be older than that, and what the call did is told as an event.
 * @param seq the view's number when it was asked for
 */
export function withChanged(state: State, message: Message, seq: number | null): State {
  const view = state.views[message.room_id];
  if (!view || view.seq !== seq) return state;
  const messages = change(view, message.id, (known) => keepOwn(known, message));
  return withView(state, message.room_id, { messages });
}

/** Puts a message in its place, once. */
export function insert(messages: Message[], message: Message): Message[] {
  const known = messages.findIndex((m) => m.id === message.id);
  if (known !== -1) return messages.with(known, keepOwn(messages[known] as Message, message));
  const after = messages.findLastIndex((m) => m.seq < message.seq);
  return messages.toSpliced(after + 1, 0, message);
}
