import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Button } from "./button.tsx";
import { ErrorText } from "./error-text.tsx";
import type { Pages } from "./use-pages.ts";
import { t } from "../words/translate.ts";

type ListingProps<T> = {
  label: string;
  pages: Pages<T>;
  /** What is said where there is nothing. */
  empty: string;
  keyOf(item: T): string;
  children(item: T): ComponentChildren;
};

/** A list that comes in pages: the next one when its end is seen, or by the button. */
export function Listing<T>({ label, pages, empty, keyOf, children }: ListingProps<T>) {
  const { items, hasMore, busy, error, more, reload } = pages;
  const end = useRef<HTMLDivElement>(null);
  const onSeen = useRef(more);
  onSeen.current = more;
  useEffect(() => {
    if (!end.current || !hasMore || busy) return;
    const watch = new IntersectionObserver(([seen]) => seen?.isIntersecting && onSeen.current());
    watch.observe(end.current);
    return () => watch.disconnect();
  }, [hasMore, busy, items?.length]);
  return (
    <div class="listing" aria-busy={busy}>
      {error && (
        <div class="form">
          <ErrorText>{error}</ErrorText>
          <Button onClick={() => void reload()}>{t("try-again")}</Button>
        </div>
      )}
      {items === null && !error && <div class="skeleton" style={{ height: "144px" }} />}
      {items?.length === 0 && <p class="muted">{empty}</p>}
      <ul class="list" aria-label={label}>
        {items?.map((item) => (
          <li key={keyOf(item)}>{children(item)}</li>
        ))}
      </ul>
      {hasMore && (
        <div ref={end}>
          <Button wide busy={busy} onClick={more}>
            {t("show-more")}
          </Button>
        </div>
      )}
    </div>
  );
}
