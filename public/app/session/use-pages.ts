import { useEffect, useRef, useState } from "preact/hooks";
import {
  type AnyInput,
  type CallInput,
  fillPath,
  type ItemOf,
  type ListName,
} from "../../../src/snug-client/calls.ts";
import type { Page } from "../../../src/wire/models.ts";
import type { Pages } from "../parts/listing.tsx";
import { useAction } from "../parts/use-action.ts";
import { store } from "./store.ts";

const PAGE_SIZE = 50;

/** Loads a list page by page; it starts again at the first page when the input changes. */
export function usePages<Name extends ListName>(
  route: Name,
  input = {} as CallInput<Name>,
): Pages<ItemOf<Name>> & { isOfEarlierInput: boolean } {
  type Item = ItemOf<Name>;
  const path = fillPath(route, input);
  const [page, setPage] = useState<(Page<Item> & { path: string }) | null>(null);
  const action = useAction();
  /** Counts requests: only the response to the newest is shown. */
  const requests = useRef(0);
  const isAtEnd = useRef(false);
  const load = (before: Page<Item> | null) =>
    action.run(async () => {
      isAtEnd.current = before !== null;
      requests.current += 1;
      const request = requests.current;
      const query = { ...input.query, limit: PAGE_SIZE, cursor: before?.next ?? undefined };
      const call = store.call as (route: string, input: AnyInput) => Promise<Page<Item>>;
      try {
        const next = await call(route, { ...input, query });
        if (request !== requests.current) return;
        setPage({ ...next, path, items: before ? [...before.items, ...next.items] : next.items });
      } catch (error) {
        if (request !== requests.current) return;
        setPage((now) => (now?.path === path ? now : null));
        throw error;
      }
    });
  useEffect(() => void load(null), [path]);
  const reload = () => load(null);
  const loadMore = () => void (action.busy || load(page));
  useReconnected(action.error !== null, isAtEnd.current ? loadMore : () => void reload());
  return {
    items: page?.items ?? null,
    hasMore: page?.next != null,
    isEmpty: page?.items.length === 0 && page.next == null && action.error === null,
    isOfEarlierInput: page !== null && page.path !== path,
    busy: action.busy,
    error: action.error,
    isAtEnd: isAtEnd.current,
    loadMore,
    reload,
    replace: (matches, item) =>
      setPage(
        (now) =>
          now && {
            ...now,
            items: now.items.flatMap((other) => (matches(other) ? (item ?? []) : other)),
          },
      ),
  };
}

/** Retries what has failed when the device has a network again, or the connection is open again. */
export function useReconnected(hasFailed: boolean, retry: () => void): void {
  const isOpen = store.status.value === "open";
  useEffect(() => {
    if (isOpen && hasFailed) retry();
  }, [isOpen]);
  useEffect(() => {
    if (!hasFailed) return;
    addEventListener("online", retry);
    return () => removeEventListener("online", retry);
  });
}
