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
): Pages<ItemOf<Name>> {
  type Item = ItemOf<Name>;
  const [page, setPage] = useState<Page<Item> | null>(null);
  const action = useAction();
  const path = fillPath(route, input);
  // An answer to an earlier input is dropped.
  const latest = useRef(path);
  latest.current = path;
  const load = (before: Page<Item> | null) =>
    action.run(async () => {
      const query = { ...input.query, limit: PAGE_SIZE, cursor: before?.next ?? undefined };
      const call = store.call as (route: string, input: AnyInput) => Promise<Page<Item>>;
      const next = await call(route, { ...input, query });
      if (latest.current !== path) return;
      setPage(before ? { ...next, items: [...before.items, ...next.items] } : next);
    });
  useEffect(() => void load(null), [path]);
  return {
    items: page?.items ?? null,
    hasMore: page?.next != null,
    isEmpty: page?.items.length === 0 && page.next == null && action.error === null,
    busy: action.busy,
    error: action.error,
    loadMore: () => void (action.busy || load(page)),
    reload: () => load(null),
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
