import { Clock, X } from "lucide";
import { useState } from "preact/hooks";
import { Icon } from "../parts/icon.tsx";
import { store } from "../session/store.ts";
import { readInput, type SearchInput } from "../state/search/search-query.ts";
import { deleteRecentSearches, recentSearches } from "../state/search/recent-searches.ts";
import { t } from "../words/translate.ts";
import { localStore } from "../connection/storage.ts";

type BeginProps = { onInput(input: SearchInput): void };

const EXAMPLES = [
  ["from:", "search.help-from"],
  ["in:", "search.help-in"],
  ["has:", "search.help-has"],
  ["is:", "search.help-is"],
  ["after:", "search.help-dates"],
  ['"…"', "search.help-phrase"],
  ["-", "search.help-not"],
] as const;

/** Shown before anything is typed: recent searches, and examples. */
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
        <dl class="search-help stack">
          {EXAMPLES.map(([example, words]) => (
            <div key={words} class="grid">
              <dt>
                <code>{example}</code>
              </dt>
              <dd class="muted words">{t(words)}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
}
