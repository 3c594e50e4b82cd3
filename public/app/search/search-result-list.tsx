import { useMemo } from "preact/hooks";
import type { SearchResult } from "../../../src/wire/models.ts";
import { Button } from "../parts/button.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { LoadMore } from "../parts/load-more.tsx";
import { dayKey, dayName } from "../parts/times.ts";
import { background } from "../session/navigation.ts";
import { type SearchInput, termsOf } from "../state/search/search-query.ts";
import { t } from "../words/translate.ts";
import { SearchNotes } from "./search-notes.tsx";
import { SearchNothing } from "./search-nothing.tsx";
import { SearchResultRow } from "./search-result-row.tsx";
import type { Search } from "./use-search.ts";

type ListProps = {
  search: Search;
  input: SearchInput;
  onInput(input: SearchInput): void;
  onOpen(): void;
};

/** The messages that were found, by day. More are loaded when the end is scrolled into view. */
export function SearchResultList({ search, input, onInput, onOpen }: ListProps) {
  const { results, busy, error, query } = search;
  const terms = useMemo(() => termsOf(query), [query]);
  const here = background.value.route;
  const openId = "messageId" in here ? here.messageId : null;
  const isEmpty = results !== null && results.items.length === 0 && !busy;
  return (
    <section aria-busy={busy}>
      <h2 class="visually-hidden">{t("search.messages")}</h2>
      <p class="search-note muted small" role="status">
        {!busy &&
          results &&
          !isEmpty &&
          t(results.next ? "search.count-more" : "search.count", { count: results.items.length })}
      </p>
      {error && (
        <div class="search-error">
          <ErrorText>{error}</ErrorText>
          {search.canRetry && <Button onClick={search.retry}>{t("try-again")}</Button>}
        </div>
      )}
      {results && <SearchNotes results={results} />}
      {!results && busy && <div class="skeleton" style={{ height: "144px" }} />}
      {isEmpty && <SearchNothing input={input} onInput={onInput} isWhole={results.is_complete} />}
      {byDay(results?.items ?? []).map(([day, items]) => (
        <section key={day} aria-label={day}>
          <h3>{day}</h3>
          <ul>
            {items.map((result) => (
              <SearchResultRow
                key={result.message.id}
                result={result}
                terms={terms}
                isCurrent={result.message.id === openId}
                onOpen={onOpen}
              />
            ))}
          </ul>
        </section>
      ))}
      {results?.next && (
        <LoadMore
          busy={busy}
          count={results.items.length}
          hasFailed={error !== null}
          onMore={search.loadMore}
        />
      )}
    </section>
  );
}

function byDay(items: SearchResult[]): [day: string, items: SearchResult[]][] {
  const days = Map.groupBy(items, ({ message }) => dayKey(message.created_at));
  return [...days.values()].map((ofDay) => [dayName(ofDay[0]?.message.created_at ?? ""), ofDay]);
}
