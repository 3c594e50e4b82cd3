import { Clock, X } from "lucide";
import { useState } from "preact/hooks";
import { Icon } from "../parts/icon.tsx";
import { store } from "../session/store.ts";
import { readInput, type SearchInput } from "../state/search/search-query.ts";
import { forgetSearches, recentSearches } from "../state/search/recent-searches.ts";
import { t } from "../words/translate.ts";
import { hereFilter } from "./here.ts";
import { localStore } from "../connection/storage.ts";

type FiltersProps = { input: SearchInput; onInput(input: SearchInput): void };

const EXAMPLES = [
  ["from:", "search.help-from"],
  ["in:", "search.help-in"],
  ["has:", "search.help-has"],
  ["is:", "search.help-is"],
  ["after:", "search.help-dates"],
  ['"…"', "search.help-phrase"],
  ["-", "search.help-not"],
] as const;

/** Common filters, which are switched on and off, also while a text is typed. */
export function SearchFilters({ input, onInput }: FiltersProps) {
  const { chips, text } = input;
  const here = hereFilter();
  const filters = [
    ...(here ? [[here, t("search.here")] as const] : []),
    ["mentions:me", t("search.mentions-me")] as const,
    ["from:me", t("search.from-me")] as const,
    ["is:saved", t("later.saved")] as const,
    ["has:pin", t("pin.pinned")] as const,
    ["has:file", t("search.has-file")] as const,
    ["has:image", t("search.has-image")] as const,
    ["has:link", t("search.has-link")] as const,
  ];
  const toggle = (filter: string) => {
    const others = chips.filter((chip) => chip !== filter);
    onInput({ chips: others.length < chips.length ? others : [...chips, filter], text });
    document.querySelector<HTMLElement>(".search-field input")?.focus();
  };
  return (
    <div class="buttons search-filters">
      {filters.map(([filter, label]) => (
        <button
          key={filter}
          type="button"
          class="chip"
          data-stop
          aria-pressed={chips.includes(filter)}
          onClick={() => toggle(filter)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

/** Shown before anything is typed: the last searches, and examples. */
export function SearchBegin({ onInput }: Pick<FiltersProps, "onInput">) {
  const me = store.me.value?.id ?? "";
  const [recent, setRecent] = useState(() => recentSearches(localStore, me));
  return (
    <>
      {recent.length > 0 && (
        <section>
          <h2>{t("search.recent")}</h2>
          <ul>
            {recent.map((query) => (
              <li key={query}>
                <button
                  type="button"
                  class="search-row"
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
            class="search-row muted"
            data-stop
            onClick={() => {
              forgetSearches(localStore, me);
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
        <dl class="search-help">
          {EXAMPLES.map(([example, words]) => (
            <div key={words}>
              <dt>
                <code>{example}</code>
              </dt>
              <dd>{t(words)}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
}
