import type { Message } from "../../../src/wire/models.ts";
import { type RoomView, type State, withView } from "./model.ts";

/** Changes one message of a view. */
export function changeMessage(view: RoomView, id: string, edit: (message: Message) => Message) {
  return { messages: view.messages.map((one) => (one.id === id ? edit(one) : one)) };
}

/** A newer form of a message. Events are the same for everyone, so they leave out `client_id`. */
export function keepOwn(known: Message, newer: Message): Message {
  return { ...newer, client_id: newer.client_id ?? known.client_id };
}

/**
 * The state with a message that the service has just acknowledged. If its event has arrived before,
 * the message is newer there, and lacks only `client_id`.
 */
export function withSent(state: State, message: Message): State {
  const view = state.views[message.room_id];
  if (!view || view.hasAfter || !view.loaded) return state;
  const isKnown = view.messages.some(({ id }) => id === message.id);
  if (!isKnown && view.seq !== null && message.seq <= view.seq) return state;
  const changed = isKnown
    ? changeMessage(view, message.id, (known) => keepOwn(message, known))
    : { messages: insertMessage(view.messages, message) };
  return withView(state, message.room_id, changed);
}

/**
 * The state with a message from a response, unless something has happened in the room since the
 * request: the response may be older, and the change arrives as an event.
 * @param seq the view's number at the time of the request
 */
export function withChanged(state: State, message: Message, seq: number | null): State {
  const view = state.views[message.room_id];
  if (!view || view.seq !== seq) return state;
  const changed = changeMessage(view, message.id, (known) => keepOwn(known, message));
  return withView(state, message.room_id, changed);
}

/** Inserts a message in the order of the log, or replaces it. */
export function insertMessage(messages: Message[], message: Message): Message[] {
  const known = messages.findIndex((m) => m.id === message.id);
  if (known !== -1) return messages.with(known, keepOwn(messages[known] as Message, message));
  const after = messages.findLastIndex((m) => m.seq < message.seq);
  return messages.toSpliced(after + 1, 0, message);
}
