import type { Message, Thread } from "../../../src/wire/models.ts";
import { quoteOf, rootOf } from "./excerpt.ts";
import { changeMessages, keepOwn } from "./message-list.ts";
import type { RoomView } from "./model.ts";

/** What an edit changes: the message, what quotes it, and what its replies call it. */
export function edited(view: RoomView, message: Message): Partial<RoomView> {
  const { id } = message;
  return changeMessages(view, (one) => {
    if (one.id === id) return keepOwn(one, message);
    const next = one.quote?.id === id ? { ...one, quote: quoteOf(message) } : one;
    return next.root?.id === id ? { ...next, root: rootOf(message) } : next;
  });
}

/** What the deletion of a message changes: it goes, and what quotes it says so. */
export function deleted(view: RoomView, id: string): Partial<RoomView> {
  const { messages, thread } = changeMessages(view, (one) =>
    one.quote?.id === id ? { ...one, quote: { id, is_gone: true } } : one,
  );
  const isGone = view.thread?.id === id;
  return {
    messages: messages.filter((one) => one.id !== id),
    ...(thread && { thread: isGone ? { ...thread, root: null } : thread }),
  };
}

/** What is new of a thread: its root shows it, and its replies have its title. */
export function rethreaded(view: RoomView, id: string, thread: Thread | null): Partial<RoomView> {
  return changeMessages(view, (one) => {
    if (one.id === id) return { ...one, thread };
    const title = thread?.title ?? null;
    const isNamed = one.root?.id === id && one.root.title !== title;
    return isNamed && one.root ? { ...one, root: { ...one.root, title } } : one;
  });
}
