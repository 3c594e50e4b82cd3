import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import type { SearchInput } from "../state/search/search-query.ts";
import { t } from "../words/translate.ts";

type NothingProps = { input: SearchInput; onInput(input: SearchInput): void; isWhole: boolean };

/** Shown if nothing was found: each filter can be removed to widen the search. */
export function SearchNothing({ input, onInput, isWhole }: NothingProps) {
  const { chips } = input;
  const text =
    chips.length > 0 ? "search.none-filters" : isWhole ? "search.none-words" : "search.none-yet";
  return (
    <Empty title={t("search.none")} text={t(text)}>
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
