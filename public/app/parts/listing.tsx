import { CircleAlert } from "lucide";
import type { ComponentChildren } from "preact";
import { t } from "../words/translate.ts";
import { Empty } from "./empty.tsx";
import { LoadError, RetryButton } from "./error-text.tsx";
import { LoadMore } from "./load-more.tsx";
import { SkeletonList } from "./skeleton.tsx";

export type Pages<T> = {
  /** Null until the first page is loaded. */
  items: T[] | null;
  hasMore: boolean;
  /** Whether all of the list is loaded and empty; false after an error, because it may not be. */
  isEmpty: boolean;
  busy: boolean;
  error: string | null;
  /** Whether the error is about a further page, instead of the whole list. */
  isAtEnd: boolean;
  loadMore(): void;
  reload(): Promise<void>;
  /** Replaces an item with a response; null removes it. */
  replace(matches: (item: T) => boolean, item: T | null): void;
};

type ListingProps<T> = {
  label: string;
  pages: Pages<T>;
  empty: ComponentChildren;
  keyOf(item: T): string;
  children(item: T): ComponentChildren;
};

export function Listing<T>({ label, pages, empty, keyOf, children }: ListingProps<T>) {
  const { items, hasMore, isEmpty, busy, error, isAtEnd, loadMore, reload } = pages;
  if (isEmpty) return empty;
  return (
    <div class="listing" aria-busy={busy}>
      {error && items !== null && !isAtEnd && (
        <LoadError text={error} onRetry={() => void reload()} />
      )}
      {error && items === null && (
        <div role="alert">
          <Empty icon={CircleAlert} title={t("part.failed")} text={error}>
            <RetryButton onRetry={() => void reload()} />
          </Empty>
        </div>
      )}
      {items === null && !error && <SkeletonList />}
      <ul class="list" aria-label={label}>
        {items?.map((item) => (
          <li key={keyOf(item)}>{children(item)}</li>
        ))}
      </ul>
      {hasMore &&
        (!error ? (
          <LoadMore busy={busy} count={items?.length ?? 0} onMore={loadMore} />
        ) : (
          isAtEnd && <LoadError text={error} onRetry={loadMore} />
        ))}
    </div>
  );
}
