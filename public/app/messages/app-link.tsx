import { signal, useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { Message } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { atTime, dayKey, timeOf } from "../parts/times.ts";
import { roomByName } from "../state/model/model.ts";
import { parseRoute } from "../state/route.ts";
import { senderOf } from "./message-author.tsx";

/** Linked messages that no open view has, by id; null while one is being loaded. */
const linkedMessages = signal<ReadonlyMap<string, Message | null>>(new Map());
/** When this many were loaded, later links are shown without the author. */
const MAX_LINKED = 200;

/** The path and the link text of a URL within this client; null for other URLs. */
export function placeOf(url: string): { path: string; name: ComponentChildren } | null {
  const { origin, pathname, search } = new URL(url, location.origin);
  if (origin !== location.origin || search) return null;
  const route = parseRoute(pathname);
  if (route.name === "room") {
    const { room, threadId, messageId } = route;
    const id = messageId ?? threadId;
    return { path: pathname, name: id ? <MessageLink room={room} id={id} /> : `#${room}` };
  }
  return route.name === "profile" || route.name === "browse" ? { path: pathname, name: url } : null;
}

/** Whether a text may contain a link to a message, which is shown as a card below. */
export function linksToMessages({ content }: Message): boolean {
  return content?.includes(`${location.origin}/`) === true && /\/[mt]\/[0-9a-f]{8}-/.test(content);
}

/** "#general · Ada · 01:58" */
function MessageLink({ room, id }: { room: string; id: string }) {
  const linked = useComputed(() => linkedMessages.value.get(id) ?? null).value;
  const inView = findMessage(room, id);
  useEffect(() => {
    if (!inView) void loadMessage(room, id);
  }, [id]);
  const message = inView ?? linked;
  const at = message?.created_at ?? timeIn(id);
  return (
    <>{[`#${room}`, message && senderOf(message), at && sayTime(at)].filter(Boolean).join(" · ")}</>
  );
}

function findMessage(room: string, id: string): Message | undefined {
  const conversation = roomByName(store.state.peek(), room);
  const view = conversation && store.state.peek().views[conversation.id];
  return view?.messages.find((message) => message.id === id);
}

async function loadMessage(room: string, id: string): Promise<void> {
  const isMine = roomByName(store.state.peek(), room) !== undefined;
  const linked = linkedMessages.value;
  if (!isMine || linked.has(id) || linked.size >= MAX_LINKED) return;
  linkedMessages.value = new Map(linked).set(id, null);
  try {
    const message = await store.call("GET /api/messages/:id", { params: { id } });
    linkedMessages.value = new Map(linkedMessages.value).set(id, message);
  } catch {
    // Without the author, the link shows the room and the time.
  }
}

const sayTime = (at: string) =>
  dayKey(at) === dayKey(new Date().toISOString()) ? timeOf(at) : atTime(at);

/** The timestamp in a message id (UUIDv7); null for other ids. */
function timeIn(id: string): string | null {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-7/i.test(id)) return null;
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString();
}
