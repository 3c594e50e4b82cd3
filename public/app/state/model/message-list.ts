import type { Message, Quote, ReplyRoot, Thread } from "../../../../src/wire/models.ts";
import { toThreadRoot, withExcerpt } from "./follows.ts";
import { joinsWithin } from "./joins.ts";
import { type RoomView, type State, toGone, withView } from "./model.ts";
import { QUOTE_EXCERPT_LENGTH } from "../../../../src/wire/limits.ts";
import { makeExcerpt } from "../../../../src/wire/markdown/plain.ts";

/** Changes one message of a view, which may be the root of its thread. */
export function changeMessage(
  view: RoomView,
  id: string,
  edit: (message: Message) => Message,
): Partial<RoomView> {
  return changeMessages(view, (message) => (message.id === id ? edit(message) : message));
}

/** Changes messages of a view, including the root of its thread. */
function changeMessages(view: RoomView, edit: (message: Message) => Message) {
  const { thread } = view;
  const root = thread?.root && edit(thread.root);
  const messages = mapItems(view.messages, edit);
  return thread && root ? { messages, thread: { ...thread, root } } : { messages };
}

/**
 * A newer version of a message. It keeps `client_id`, which events omit because they are the same
 * for everyone.
 */
function keepOwn(existing: Message, newer: Message): Message {
  return { ...newer, client_id: newer.client_id ?? existing.client_id };
}

/** Changes each view that contains a message or its thread. */
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

export function changeEverywhere(
  state: State,
  id: string,
  edit: (message: Message) => Message,
): State {
  let next = state;
  for (const [key, view] of Object.entries(state.views)) {
    const isIn = view.thread?.root?.id === id || view.messages.some((item) => item.id === id);
    if (isIn) next = withView(next, key, changeMessage(view, id, edit));
  }
  return next;
}

/**
 * The state with a message that the service has just acknowledged. If its event arrived first, the
 * message is already there, and lacks only `client_id`.
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
 * Merges a message from a response, unless something has happened in the room since the request:
 * the response may then be older, and the change also arrives as an event.
 * @param seq the view's number at the time of the request
 */
export function withChanged(state: State, message: Message, seq: number | null): State {
  return inViews(state, message, (view) =>
    view.seq === seq
      ? changeMessage(view, message.id, (existing) => keepOwn(existing, message))
      : null,
  );
}

/** How many messages a view keeps while it is not displayed. */
const MAX_UNSEEN = 100;

/**
 * Trims a view that was left: messages far from where it was left are removed, and loaded again
 * when someone scrolls there.
 * @param leftAt the message at which it was left; null for the newest
 * @returns null if it has few messages
 */
export function trimView(
  { messages, joins, hasBefore, hasAfter }: RoomView,
  leftAt: string | null,
): Partial<RoomView> | null {
  if (messages.length <= MAX_UNSEEN) return null;
  const middle = messages.findIndex(({ id }) => id === leftAt);
  const last = messages.length - MAX_UNSEEN;
  const from = middle === -1 ? last : Math.min(Math.max(0, middle - MAX_UNSEEN / 2), last);
  const rest = messages.slice(from, from + MAX_UNSEEN);
  const start = from > 0 ? (rest[0]?.seq ?? 0) : 0;
  const end = from < last ? (rest.at(-1)?.seq ?? 0) : Infinity;
  return {
    messages: rest,
    joins: joinsWithin(joins, start, end),
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

export function quoteOf(message: Message): Quote {
  const { id, author, content, image, file, created_at } = message;
  if (message.deleted_at) return { id, is_gone: true };
  const excerpt = makeExcerpt(content, QUOTE_EXCERPT_LENGTH);
  return { id, author, excerpt, has_image: image !== null, has_file: file !== null, created_at };
}

const rootOf = (message: Message): ReplyRoot => withExcerpt(toThreadRoot(message));

/** The changes by an edit: to the message, quotes of it, and its replies' line about their root. */
export function applyEdit(view: RoomView, message: Message): Partial<RoomView> {
  const { id } = message;
  return changeMessages(view, (other) => {
    if (other.id === id) return keepOwn(other, message);
    const next = other.quote?.id === id ? { ...other, quote: quoteOf(message) } : other;
    return next.root?.id === id ? { ...next, root: rootOf(message) } : next;
  });
}

/** The changes by a deletion: the message is removed, and quotes show that it was deleted. */
export function applyDeletion(view: RoomView, id: string): Partial<RoomView> {
  const { messages, thread } = changeMessages(view, (message) =>
    message.quote?.id === id ? { ...message, quote: { id, is_gone: true } } : message,
  );
  const isGone = view.thread?.id === id;
  return {
    messages: messages.filter((message) => message.id !== id),
    ...(thread && { thread: isGone ? toGone(thread) : thread }),
  };
}

/** The changes by a thread update: its root shows the thread, and its replies have its title. */
export function applyThread(view: RoomView, id: string, thread: Thread | null): Partial<RoomView> {
  return changeMessages(view, (message) => {
    if (message.id === id) return { ...message, thread };
    const title = thread?.title ?? null;
    const isNamed = message.root?.id === id && message.root.title !== title;
    return isNamed && message.root ? { ...message, root: { ...message.root, title } } : message;
  });
}

/** Changes each item of a list; returns the same list if no item changed. */
export function mapItems<T>(list: T[], change: (item: T) => T): T[] {
  const next = list.map(change);
  return next.some((item, i) => item !== list[i]) ? next : list;
}
