import { useEffect, useRef, useState } from "preact/hooks";
import type { SearchResults } from "../../../src/wire/models.ts";
import { findMatches } from "../../../src/wire/search-match.ts";
import { parseQuery } from "../../../src/wire/search.ts";
import { ApiError } from "../connection/api.ts";
import { useDebounced } from "../parts/use-debounced.ts";
import { store } from "../session/store.ts";
import { useLiveItems } from "../session/use-live-items.ts";
import { useReconnected } from "../session/use-pages.ts";
import { termsOf, toRequest } from "../state/search/search-query.ts";
import { describeError } from "../words/describe-error.ts";
import type { SearchSort } from "./search-filters.tsx";

const PAGE_SIZE = 20;
/** The number of results by relevance, which fit on one page of the service's largest size. */
const MAX_BEST = 50;
/**
 * If a response ran out of time with few results, the next page is requested automatically, at most
 * this many times.
 */
const MAX_IN_A_ROW = 20;

export type Search = {
  query: string;
  sort: SearchSort;
  /** Null until the first response. */
  results: SearchResults | null;
  busy: boolean;
  error: string | null;
  /** Whether retrying the same query may succeed. */
  canRetry: boolean;
  loadMore(): void;
  retry(): void;
};

type Found = Omit<Search, "loadMore" | "retry">;
const NOTHING: Found = {
  query: "",
  sort: "newest",
  results: null,
  busy: false,
  error: null,
  canRetry: false,
};

/**
 * Searches for a query once it has stopped changing for a moment. Responses to earlier queries are
 * dropped.
 */
export function useSearch(text: string, sort: SearchSort): Search {
  const query = useDebounced(text);
  const [outcome, setOutcome] = useState(NOTHING);
  const [attempt, setAttempt] = useState(0);
  const running = useRef<AbortController | null>(null);

  const load = async (before: SearchResults | null) => {
    const run = new AbortController();
    running.current?.abort();
    running.current = run;
    const { problem } = parseQuery(query);
    if (problem) {
      return setOutcome({ ...NOTHING, query, sort, error: describeError(problem) });
    }
    setOutcome((now) => ({ ...now, busy: true, error: null }));
    try {
      let results = before;
      // Show the results of each response while the next request is in flight.
      for (let i = 0, added = 0; i < MAX_IN_A_ROW && added < PAGE_SIZE; i += 1) {
        const page = await fetchPage(
          { query, sort, cursor: results?.next ?? undefined },
          run.signal,
        );
        if (run.signal.aborted) return;
        added += page.items.length;
        results = { ...page, items: [...(results?.items ?? []), ...page.items] };
        const isLast = page.next === null || added >= PAGE_SIZE;
        setOutcome({ ...NOTHING, query, sort, results, busy: !isLast });
        if (isLast) return;
      }
      setOutcome({ ...NOTHING, query, sort, results });
    } catch (error) {
      if (run.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      const canRetry = error.status !== 422;
      setOutcome({
        ...NOTHING,
        query,
        sort,
        results: before,
        error: describeError(error),
        canRetry,
      });
    }
  };

  useEffect(() => {
    if (query === "") setOutcome(NOTHING);
    else void load(null);
    return () => running.current?.abort();
  }, [query, sort, attempt]);

  const items = useLiveItems(outcome.results?.items ?? null, {
    read: ({ message }) => message,
    write: (item, message) => {
      const matches = findMatches(message.content ?? "", termsOf(outcome.query));
      return { ...item, message, matches };
    },
  });
  const results = outcome.results && items && { ...outcome.results, items };
  const loadMore = () => {
    if (!outcome.busy && outcome.results?.next) void load(outcome.results);
  };
  const retry = () => setAttempt((n) => n + 1);
  useReconnected(outcome.error !== null && outcome.canRetry, outcome.results ? loadMore : retry);
  return {
    ...outcome,
    results,
    loadMore,
    retry,
  };
}

/** Retries the request after a moment if the service is busy or the rate limit was exceeded. */
async function fetchPage(
  { query, sort, cursor }: { query: string; sort: SearchSort; cursor?: string },
  signal: AbortSignal,
) {
  const limit = sort === "relevance" ? MAX_BEST : PAGE_SIZE;
  const parameters = { ...toRequest(query), sort, cursor, limit };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await store.call("GET /api/search/messages", { query: parameters }, { signal });
    } catch (error) {
      const isRetryable = error instanceof ApiError && RETRYABLE.has(error.code);
      if (!isRetryable || attempt === MAX_ATTEMPTS || signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

const RETRYABLE = new Set<string>(["rate_limited", "search_busy"]);
const MAX_ATTEMPTS = 3;
const RETRY_MS = 1_000;
