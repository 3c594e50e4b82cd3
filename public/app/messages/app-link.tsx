import { signal, useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { Message } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { atTime, dayKey, timeOf } from "../parts/times.ts";
import { roomByName } from "../state/model/model.ts";
import { parseRoute } from "../state/route.ts";
import { senderOf } from "./message-author.tsx";

/** Authors of linked messages that are not loaded, by message; null while one is being loaded. */
const authors = signal<ReadonlyMap<string, string | null>>(new Map());
/** When this many are known, later links are shown without the author. */
const MAX_AUTHORS = 200;

/** The address and the text of a URL that leads into this client; null if it leads elsewhere. */
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

/** Whether a text may link to a message here, which has a card below it. */
export function linksToMessages({ content }: Message): boolean {
  return content?.includes(`${location.origin}/`) === true && /\/[mt]\/[0-9a-f]{8}-/.test(content);
}

/** "#general · Ada · 01:58" */
function MessageLink({ room, id }: { room: string; id: string }) {
  const author = useComputed(() => authors.value.get(id) ?? null).value;
  const loaded = findAuthor(room, id);
  useEffect(() => {
    if (!loaded) void loadAuthor(room, id);
  }, [id]);
  return <>{[`#${room}`, loaded ?? author, timeIn(id)].filter(Boolean).join(" · ")}</>;
}

function findAuthor(room: string, id: string): string | null {
  const conversation = roomByName(store.state.peek(), room);
  const view = conversation && store.state.peek().views[conversation.id];
  const message = view?.messages.find((message) => message.id === id);
  return message ? senderOf(message) : null;
}

async function loadAuthor(room: string, id: string): Promise<void> {
  const isMine = roomByName(store.state.peek(), room) !== undefined;
  if (!isMine || authors.value.has(id) || authors.value.size >= MAX_AUTHORS) return;
  authors.value = new Map(authors.value).set(id, null);
  try {
    const message = await store.call("GET /api/messages/:id", { params: { id } });
    authors.value = new Map(authors.value).set(id, senderOf(message));
  } catch {
    // Without the author, the room and the time are enough.
  }
}

/** The time that is in the id of a message, a UUIDv7; null for an id of another kind. */
function timeIn(id: string): string | null {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-7/i.test(id)) return null;
  const at = new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString();
  return dayKey(at) === dayKey(new Date().toISOString()) ? timeOf(at) : atTime(at);
}
