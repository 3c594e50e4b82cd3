import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Pages } from "../parts/listing.tsx";
import { applyLive, LiveItems, type MessageOf } from "../state/live-items.ts";
import { store } from "./store.ts";

/** The items of an open list, updated by events about their messages. */
export function useLiveItems<Item>(items: Item[] | null, messageOf: MessageOf<Item>) {
  const latest = useRef(items);
  latest.current = items;
  const live = useMemo(
    () =>
      new LiveItems(store, (id) =>
        Boolean(latest.current?.some((item) => messageOf.read(item)?.id === id)),
      ),
    [],
  );
  useEffect(() => store.onEvent((event) => live.onEvent(event)), [live]);
  const changes = live.changes.value;
  return useMemo(() => items && applyLive(items, changes, messageOf), [items, changes]);
}

/** Pages of a list whose items are updated by events about their messages. */
export function useLivePages<Item>(pages: Pages<Item>, messageOf: MessageOf<Item>): Pages<Item> {
  return { ...pages, items: useLiveItems(pages.items, messageOf) };
}
