import type { Message, Thread } from "../../../../src/wire/models.ts";
import { quoteOf, rootOf } from "./excerpt.ts";
import { changeMessages, keepOwn } from "./message-list.ts";
import { type RoomView, toGone } from "./model.ts";

/** The changes of an edit: the message, quotes of it, and its replies' line about their root. */
export function applyEdit(view: RoomView, message: Message): Partial<RoomView> {
  const { id } = message;
  return changeMessages(view, (one) => {
    if (one.id === id) return keepOwn(one, message);
    const next = one.quote?.id === id ? { ...one, quote: quoteOf(message) } : one;
    return next.root?.id === id ? { ...next, root: rootOf(message) } : next;
  });
}

/** The changes of a deletion: the message is removed, and quotes of it show that. */
export function applyDeletion(view: RoomView, id: string): Partial<RoomView> {
  const { messages, thread } = changeMessages(view, (one) =>
    one.quote?.id === id ? { ...one, quote: { id, is_gone: true } } : one,
  );
  const isGone = view.thread?.id === id;
  return {
    messages: messages.filter((one) => one.id !== id),
    ...(thread && { thread: isGone ? toGone(thread) : thread }),
  };
}

/** The changes of a thread: its root shows the thread, and its replies have its title. */
export function applyThread(view: RoomView, id: string, thread: Thread | null): Partial<RoomView> {
  return changeMessages(view, (one) => {
    if (one.id === id) return { ...one, thread };
    const title = thread?.title ?? null;
    const isNamed = one.root?.id === id && one.root.title !== title;
    return isNamed && one.root ? { ...one, root: { ...one.root, title } } : one;
  });
}
