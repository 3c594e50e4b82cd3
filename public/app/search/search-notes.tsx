import type { SearchResults } from "../../../src/wire/models.ts";
import { getDateFormat } from "../words/intl.ts";
import { currentLocale, t } from "../words/translate.ts";

/** Notes about the results: unknown names in the query, and how far back the search went. */
export function SearchNotes({ results }: { results: SearchResults }) {
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
