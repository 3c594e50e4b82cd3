import { useEffect, useRef, useState } from "preact/hooks";
import type { Page } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { useAction } from "./use-action.ts";

/** A list that comes in pages. */
export type Pages<T> = {
  /** Null until the first page is here. */
  items: T[] | null;
  hasMore: boolean;
  busy: boolean;
  error: string | null;
  more(): void;
  reload(): Promise<void>;
  /** Takes over what a call has answered about one of them. */
  replace(isIt: (item: T) => boolean, item: T | null): void;
};

/**
 * @param path of the list
 * @param filter what is asked for; where it changes, the list begins anew
 */
export function usePages<T>(path: string, filter: Record<string, string> = {}): Pages<T> {
  const [page, setPage] = useState<Page<T> | null>(null);
  const action = useAction();
  const search = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ""));
  const wanted = `${path}?${search}`;
  // What was asked for last: an answer to what was asked before comes too late.
  const latest = useRef(wanted);
  latest.current = wanted;
  const load = (before: Page<T> | null) =>
    action.run(async () => {
      const cursor = before?.next ? `&cursor=${before.next}` : "";
      const next = await store.api.get<Page<T>>(`${wanted}&limit=50${cursor}`);
      if (latest.current !== wanted) return;
      setPage(before ? { ...next, items: [...before.items, ...next.items] } : next);
    });
  useEffect(() => void load(null), [wanted]);
  return {
    items: page?.items ?? null,
    hasMore: page?.next != null,
    busy: action.busy,
    error: action.error,
    more: () => void (action.busy || load(page)),
    reload: () => load(null),
    replace: (isIt, item) =>
      setPage(
        (now) =>
          now && { ...now, items: now.items.flatMap((one) => (isIt(one) ? (item ?? []) : one)) },
      ),
  };
}
