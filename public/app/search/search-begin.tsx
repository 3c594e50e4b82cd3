import { Clock, X } from "lucide";
import { useState } from "preact/hooks";
import { Icon } from "../parts/icon.tsx";
import { store } from "../session/store.ts";
import { roomList } from "../state/model/model.ts";
import {
  readInput,
  type SearchInput,
  deleteRecentSearches,
  recentSearches,
} from "../state/search/search-query.ts";
import { t } from "../words/translate.ts";
import { localStore } from "../connection/storage.ts";

type BeginProps = { onInput(input: SearchInput): void };

const DAY_MS = 86_400_000;

/** Queries that work as they are, and what they find. */
function listExamples() {
  const room =
    roomList(store.state.value).find(({ is_archived }) => !is_archived)?.name ?? "general";
  const monthAgo = new Date(Date.now() - 30 * DAY_MS).toISOString().slice(0, 10);
  return [
    ["from:me", "search.help-from"],
    [`in:${room}`, "search.help-in"],
    ["has:file", "search.help-has"],
    ["is:saved", "search.help-is"],
    [`after:${monthAgo}`, "search.help-dates"],
    ['"hello world"', "search.help-phrase"],
    ["hello -world", "search.help-not"],
  ] as const;
}

/** Shown before anything is typed: recent searches, and examples that a click searches for. */
export function SearchBegin({ onInput }: BeginProps) {
  const me = store.me.value?.id ?? "";
  const [recent, setRecent] = useState(() => recentSearches(localStore, me));
  return (
    <>
      {recent.length > 0 && (
        <section>
          <h2>{t("search.recent")}</h2>
          <ul class="list">
            {recent.map((query) => (
              <li key={query}>
                <button
                  type="button"
                  class="search-row row gap-12 full"
                  data-stop
                  onClick={() => onInput(readInput(query))}
                >
                  <Icon of={Clock} />
                  <span class="truncate" dir="auto">
                    {query}
                  </span>
                </button>
              </li>
            ))}
          </ul>
          <button
            type="button"
            class="search-row row gap-12 full muted"
            data-stop
            onClick={() => {
              deleteRecentSearches(localStore, me);
              setRecent([]);
            }}
          >
            <Icon of={X} />
            {t("search.forget")}
          </button>
        </section>
      )}
      <section>
        <h2>{t("search.help")}</h2>
        <ul class="list search-help">
          {listExamples().map(([example, words]) => (
            <li key={words}>
              <button
                type="button"
                class="search-row row gap-12 full"
                data-stop
                onClick={() => onInput(readInput(example))}
              >
                <code class="truncate">{example}</code>
                <span class="grow muted small words">{t(words)}</span>
              </button>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
