import { CircleAlert, Search as SearchIcon } from "lucide";
import { useMemo } from "preact/hooks";
import type { SearchResult, SearchResults } from "../../../src/wire/models.ts";
import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { LoadError, RetryButton } from "../parts/error-text.tsx";
import { LoadMore } from "../parts/load-more.tsx";
import { SkeletonList } from "../parts/skeleton.tsx";
import { dayKey, dayName } from "../parts/times.ts";
import { background } from "../session/navigation.ts";
import { type SearchInput, termsOf } from "../state/search/search-query.ts";
import { getDateFormat } from "../words/intl.ts";
import { currentLocale, t } from "../words/translate.ts";
import { type SearchSort, SearchSortMenu } from "./search-filters.tsx";
import { SearchResultRow } from "./search-result-row.tsx";
import type { Search } from "./use-search.ts";

type CountProps = {
  search: Search;
  /** What is searched for; the results may still be those of the previous query. */
  query: string;
  /** The chosen order; the results may still have the previous one. */
  sort: SearchSort;
  onSort(sort: SearchSort): void;
};

/**
 * How many messages were found, and their order. The count of a former query is removed at once, so
 * that the next one is announced even if it is the same.
 */
export function SearchCount({ search, query, sort, onSort }: CountProps) {
  const count = search.results?.items.length ?? 0;
  return (
    <div class="search-count row">
      <p class="grow muted small" role="status">
        {count > 0 && search.query === query && t(countKey(search), { count })}
      </p>
      {count > 0 && <SearchSortMenu sort={sort} onSort={onSort} />}
    </div>
  );
}

type ListProps = {
  search: Search;
  input: SearchInput;
  onInput(input: SearchInput): void;
  onOpen(): void;
};

/**
 * The messages found, by day or by relevance. More are loaded when the end is scrolled into view.
 */
export function SearchResultList(props: ListProps) {
  const { search, input, onInput, onOpen } = props;
  const { results, busy, error, query } = search;
  const terms = useMemo(() => termsOf(query), [query]);
  const here = background.value.route;
  const openId = "messageId" in here ? here.messageId : null;
  const isEmpty = results?.items.length === 0 && !busy;
  const rowOf = (result: SearchResult) => (
    <SearchResultRow
      key={result.message.id}
      result={result}
      terms={terms}
      isOfDay={search.sort === "newest"}
      isCurrent={result.message.id === openId}
      onOpen={onOpen}
    />
  );
  return (
    <section aria-busy={busy}>
      <h2 class="visually-hidden">{t("search.messages")}</h2>
      {error && !results && (
        <div role="alert">
          <Empty icon={CircleAlert} title={t("search.failed")} text={error}>
            {search.canRetry && <RetryButton onRetry={search.retry} />}
          </Empty>
        </div>
      )}
      {results && <SearchNotes results={results} />}
      {!results?.items.length && busy && <SkeletonList />}
      {isEmpty && <SearchNothing input={input} onInput={onInput} isWhole={results.is_complete} />}
      {search.sort === "relevance" && <ul class="list">{results?.items.map(rowOf)}</ul>}
      {search.sort === "newest" &&
        byDay(results?.items ?? []).map(([day, items]) => (
          <section key={day} aria-label={day}>
            <h3 class="sticky">{day}</h3>
            <ul class="list">{items.map(rowOf)}</ul>
          </section>
        ))}
      {results?.next &&
        (error ? (
          <LoadError text={error} onRetry={search.loadMore} />
        ) : (
          <LoadMore busy={busy} count={results.items.length} onMore={search.loadMore} />
        ))}
    </section>
  );
}

function countKey({ results, sort }: Search) {
  if (results?.next) return "search.count-more";
  // If the search did not reach the end, older matches were not ranked.
  const isBest = sort === "relevance" && results?.searched_until;
  return isBest ? "search.count-best" : "search.count";
}

function byDay(items: SearchResult[]): [day: string, items: SearchResult[]][] {
  const days = Map.groupBy(items, ({ message }) => dayKey(message.created_at));
  return [...days.values()].map((ofDay) => [dayName(ofDay[0]?.message.created_at ?? ""), ofDay]);
}

/** Notes about the results: unknown names in the query, and how far back the search went. */
function SearchNotes({ results }: { results: SearchResults }) {
  const { unknown, is_complete, searched_until } = results;
  return (
    <>
      {unknown.map((filter) => (
        <p key={filter} class="search-note muted small">
          {t("search.unknown", { filter })}
        </p>
      ))}
      {!is_complete && (
        <p class="search-note muted small">
          {searched_until
            ? t("search.half-until", { when: monthOf(searched_until) })
            : t("search.half")}
        </p>
      )}
    </>
  );
}

const monthOf = (at: string) =>
  getDateFormat(currentLocale(), { month: "long", year: "numeric" }).format(new Date(at));

type NothingProps = { input: SearchInput; onInput(input: SearchInput): void; isWhole: boolean };

/** Shown if nothing was found: each filter can be removed to widen the search. */
function SearchNothing({ input, onInput, isWhole }: NothingProps) {
  const { chips } = input;
  const text =
    chips.length > 0 ? "search.none-filters" : isWhole ? "search.none-words" : "search.none-yet";
  return (
    <Empty icon={SearchIcon} title={t("search.none")} text={t(text)}>
      <div class="buttons">
        {chips.map((chip) => (
          <Button
            key={chip}
            onClick={() => onInput({ ...input, chips: chips.filter((other) => other !== chip) })}
          >
            {t("search.without", { filter: chip })}
          </Button>
        ))}
        {chips.length > 1 && (
          <Button onClick={() => onInput({ ...input, chips: [] })}>{t("search.clear")}</Button>
        )}
        <a class="button" href="/browse">
          {t("shell.browse")}
        </a>
      </div>
    </Empty>
  );
}
