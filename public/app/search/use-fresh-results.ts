import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ServerEvent } from "../../../src/wire/events.ts";
import type { Message, SearchResults } from "../../../src/wire/models.ts";
import { findMatches } from "../../../src/wire/search-match.ts";
import { store } from "../session/store.ts";
import { termsOf } from "../state/search/search-query.ts";

/** Messages as they are after events, by id; null for one that is deleted. */
type Changes = ReadonlyMap<string, Message | null>;

/** Updates results with what has happened to their messages since they were found. */
export function useFreshResults(
  results: SearchResults | null,
  query: string,
): SearchResults | null {
  const [changes, setChanges] = useState<Changes>(new Map());
  const [lost, setLost] = useState<ReadonlySet<string>>(new Set());
  const latest = useRef(results);
  latest.current = results;
  useEffect(() => {
    const isShown = (id: string) =>
      latest.current?.items.some(({ message }) => message.id === id) ?? false;
    const change = (id: string, message: Message | null) =>
      setChanges((now) => new Map(now).set(id, message));
    const onEvent = (event: ServerEvent) => {
      const id = changedId(event);
      if (event.type === "room_removed") setLost((now) => new Set(now).add(event.room_id));
      if (event.type === "room_added") setLost((now) => without(now, event.room.id));
      if (id === null || !isShown(id)) return;
      if (event.type === "message_update") change(id, event.message);
      else if (event.type === "message_delete") change(id, null);
      else if (event.type === "unread_changed" && event.is_deleted) change(id, null);
      // For a room that is not open, an event only says that the message was edited.
      else void readMessage(id).then((message) => message !== undefined && change(id, message));
    };
    store.live.watchers.add(onEvent);
    return () => void store.live.watchers.delete(onEvent);
  }, []);
  return useMemo(() => {
    if (!results) return null;
    const terms = termsOf(query);
    const items = results.items.flatMap((item) => {
      if (lost.has(item.message.room_id)) return [];
      const message = changes.get(item.message.id);
      if (message === undefined) return item;
      if (message === null) return [];
      return { ...item, message, matches: findMatches(message.content ?? "", terms) };
    });
    return { ...results, items };
  }, [results, changes, lost, query]);
}

/** The message that an event changes or deletes. */
function changedId(event: ServerEvent): string | null {
  if (event.type === "message_update") return event.message.id;
  const isAbout = event.type === "message_delete" || event.type === "unread_changed";
  return isAbout ? event.message_id : null;
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...ids].filter((other) => other !== id));
}

/** A message as it is now; undefined where it cannot be read. */
function readMessage(id: string): Promise<Message | undefined> {
  return store.call("GET /api/messages/:id", { params: { id } }).catch(() => undefined);
}
