import type { Message } from "../../../../src/wire/models.ts";
import { mapItems } from "./change-members.ts";
import { type RoomView, type State, withView } from "./model.ts";

/** Changes one message of a view, which may be the root of its thread. */
export function changeMessage(
  view: RoomView,
  id: string,
  edit: (message: Message) => Message,
): Partial<RoomView> {
  return changeMessages(view, (message) => (message.id === id ? edit(message) : message));
}

/** Changes messages of a view, the root of its thread included. */
export function changeMessages(view: RoomView, edit: (message: Message) => Message) {
  const { thread } = view;
  const root = thread?.root && edit(thread.root);
  const messages = mapItems(view.messages, edit);
  return thread && root ? { messages, thread: { ...thread, root } } : { messages };
}

/** A newer form of a message. Events are the same for everyone, so they leave out `client_id`. */
export function keepOwn(existing: Message, newer: Message): Message {
  return { ...newer, client_id: newer.client_id ?? existing.client_id };
}

/** The state with a change to each view that has a message, or its thread. */
function inViews(
  state: State,
  { id, room_id, thread_id }: Message,
  change: (view: RoomView) => Partial<RoomView> | null,
): State {
  let next = state;
  for (const key of [room_id, thread_id, id]) {
    const view = key && next.views[key];
    const changed = view && change(view);
    if (changed) next = withView(next, key, changed);
  }
  return next;
}

/**
 * The state with a message that the service has just acknowledged. If its event has arrived before,
 * the message is newer there, and lacks only `client_id`.
 */
export function withSent(state: State, message: Message): State {
  return inViews(state, message, (view) => {
    if (view.hasAfter) return null;
    const isKnown = view.messages.some(({ id }) => id === message.id);
    if (!isKnown && view.seq !== null && message.seq <= view.seq) return null;
    return isKnown
      ? changeMessage(view, message.id, (existing) => keepOwn(message, existing))
      : { messages: insertMessage(view.messages, message) };
  });
}

/**
 * The state with a message from a response, unless something has happened in the room since the
 * request: the response may be older, and the change arrives as an event.
 * @param seq the view's number at the time of the request
 */
export function withChanged(state: State, message: Message, seq: number | null): State {
  return inViews(state, message, (view) =>
    view.seq === seq
      ? changeMessage(view, message.id, (existing) => keepOwn(existing, message))
      : null,
  );
}

/** How many messages a view keeps that nobody looks at. */
const MAX_UNSEEN = 100;

/**
 * The changes of a view that was left: messages far from where it was left are removed, and loaded again
 * when someone scrolls there.
 * @param leftAt the message at which it was left; null for the newest
 * @returns null if it has few messages
 */
export function trimView(
  { messages, hasBefore, hasAfter }: RoomView,
  leftAt: string | null,
): Partial<RoomView> | null {
  if (messages.length <= MAX_UNSEEN) return null;
  const middle = messages.findIndex(({ id }) => id === leftAt);
  const last = messages.length - MAX_UNSEEN;
  const from = middle === -1 ? last : Math.min(Math.max(0, middle - MAX_UNSEEN / 2), last);
  return {
    messages: messages.slice(from, from + MAX_UNSEEN),
    hasBefore: hasBefore || from > 0,
    hasAfter: hasAfter || from < last,
  };
}

/** Inserts a message in the order of the log, or replaces it. */
export function insertMessage(messages: Message[], message: Message): Message[] {
  const index = messages.findIndex((m) => m.id === message.id);
  if (index !== -1) return messages.with(index, keepOwn(messages[index] as Message, message));
  const after = messages.findLastIndex((m) => m.seq < message.seq);
  return messages.toSpliced(after + 1, 0, message);
}
