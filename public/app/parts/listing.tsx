import type { ComponentChildren } from "preact";
import { LoadError } from "./error-text.tsx";
import { LoadMore } from "./load-more.tsx";

/** A list that is loaded page by page. */
export type Pages<T> = {
  /** Null until the first page is loaded. */
  items: T[] | null;
  hasMore: boolean;
  /** Whether all of it is loaded and it holds nothing; false after an error, since nobody knows then. */
  isEmpty: boolean;
  busy: boolean;
  error: string | null;
  loadMore(): void;
  reload(): Promise<void>;
  /** Replaces an item by the answer of a call; null removes it. */
  replace(matches: (item: T) => boolean, item: T | null): void;
};

type ListingProps<T> = {
  label: string;
  pages: Pages<T>;
  /** The text of an empty list. */
  empty: string;
  keyOf(item: T): string;
  children(item: T): ComponentChildren;
};

/** A list of pages. */
export function Listing<T>({ label, pages, empty, keyOf, children }: ListingProps<T>) {
  const { items, hasMore, isEmpty, busy, error, loadMore, reload } = pages;
  return (
    <div class="listing" aria-busy={busy}>
      {error && <LoadError text={error} onRetry={() => void reload()} />}
      {items === null && !error && <div class="skeleton" style={{ height: "144px" }} />}
      {isEmpty && <p class="muted">{empty}</p>}
      <ul class="list" aria-label={label}>
        {items?.map((item) => (
          <li key={keyOf(item)}>{children(item)}</li>
        ))}
      </ul>
      {hasMore && (
        <LoadMore
          busy={busy}
          count={items?.length ?? 0}
          hasFailed={error !== null}
          onMore={loadMore}
        />
      )}
    </div>
  );
}
