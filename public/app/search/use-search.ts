import { useEffect, useRef, useState } from "preact/hooks";
import type { SearchResults } from "../../../src/wire/models.ts";
import { parseQuery } from "../../../src/wire/search.ts";
import { ApiError } from "../connection/api.ts";
import { useDebounced } from "../parts/use-debounced.ts";
import { store } from "../session/store.ts";
import { toRequest } from "../state/search/search-query.ts";
import { describeError } from "../words/describe-error.ts";
import { useFreshResults } from "./use-fresh-results.ts";

const PAGE_SIZE = 20;
/**
 * An answer that found little before its time was up is followed by the next page at once, this
 * many times.
 */
const MAX_IN_A_ROW = 20;

export type Search = {
  /** The query of the results. */
  query: string;
  /** Null until the first answer. */
  results: SearchResults | null;
  busy: boolean;
  error: string | null;
  /** Whether the same query may work when it is repeated. */
  canRetry: boolean;
  loadMore(): void;
  retry(): void;
};

type Found = Omit<Search, "loadMore" | "retry">;
const NOTHING: Found = { query: "", results: null, busy: false, error: null, canRetry: false };

/** Searches for a query once it has not changed for a moment; an answer to an earlier one is dropped. */
export function useSearch(text: string): Search {
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
      return setOutcome({ ...NOTHING, query, error: describeError(problem) });
    }
    setOutcome((now) => ({ ...now, busy: true, error: null }));
    try {
      let results = before;
      // Results of one answer are shown while the next is under way.
      for (let i = 0, added = 0; i < MAX_IN_A_ROW && added < PAGE_SIZE; i += 1) {
        const page = await fetchPage(query, results?.next ?? undefined, run.signal);
        if (run.signal.aborted) return;
        added += page.items.length;
        results = { ...page, items: [...(results?.items ?? []), ...page.items] };
        const isLast = page.next === null || added >= PAGE_SIZE;
        setOutcome({ ...NOTHING, query, results, busy: !isLast });
        if (isLast) return;
      }
      setOutcome({ ...NOTHING, query, results });
    } catch (error) {
      if (run.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      const canRetry = error.status !== 422;
      setOutcome({ ...NOTHING, query, results: before, error: describeError(error), canRetry });
    }
  };

  useEffect(() => {
    if (query === "") setOutcome(NOTHING);
    else void load(null);
    return () => running.current?.abort();
  }, [query, attempt]);

  const results = useFreshResults(outcome.results, outcome.query);
  return {
    ...outcome,
    results,
    loadMore: () => {
      if (!outcome.busy && outcome.results?.next) void load(outcome.results);
    },
    retry: () => setAttempt((n) => n + 1),
  };
}

/** Repeats the request after a moment if the service is busy, or the reader has searched too often. */
async function fetchPage(query: string, cursor: string | undefined, signal: AbortSignal) {
  const parameters = { ...toRequest(query), cursor, limit: PAGE_SIZE };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await store.call("GET /api/search/messages", { query: parameters }, { signal });
    } catch (error) {
      const isPassing = error instanceof ApiError && PASSING.has(error.code);
      if (!isPassing || attempt === MAX_ATTEMPTS || signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

const PASSING = new Set<string>(["rate_limited", "search_busy"]);
const MAX_ATTEMPTS = 3;
const RETRY_MS = 1_000;
