import type { Message, Thread } from "../../../../src/wire/models.ts";
import { quoteOf, rootOf } from "./excerpt.ts";
import { changeMessages, keepOwn } from "./message-list.ts";
import { type RoomView, toGone } from "./model.ts";

/** The changes of an edit: the message, quotes of it, and its replies' line about their root. */
export function applyEdit(view: RoomView, message: Message): Partial<RoomView> {
  const { id } = message;
  return changeMessages(view, (other) => {
    if (other.id === id) return keepOwn(other, message);
    const next = other.quote?.id === id ? { ...other, quote: quoteOf(message) } : other;
    return next.root?.id === id ? { ...next, root: rootOf(message) } : next;
  });
}

/** The changes of a deletion: the message is removed, and quotes of it show that. */
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

/** The changes of a thread: its root shows the thread, and its replies have its title. */
export function applyThread(view: RoomView, id: string, thread: Thread | null): Partial<RoomView> {
  return changeMessages(view, (message) => {
    if (message.id === id) return { ...message, thread };
    const title = thread?.title ?? null;
    const isNamed = message.root?.id === id && message.root.title !== title;
    return isNamed && message.root ? { ...message, root: { ...message.root, title } } : message;
  });
}
