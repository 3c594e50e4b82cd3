import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { store } from "../session/store.ts";
import { roomList } from "../state/model/model.ts";
import type { SearchInput } from "../state/search/search-query.ts";
import { t } from "../words/translate.ts";

type NothingProps = { input: SearchInput; onInput(input: SearchInput): void; isWhole: boolean };

/** Nothing was found: each filter can be removed to search further. */
export function SearchNothing({ input, onInput, isWhole }: NothingProps) {
  const { chips } = input;
  const count = roomList(store.state.value).length;
  const text =
    chips.length > 0 ? "search.none-filters" : isWhole ? "search.none-words" : "search.none-yet";
  return (
    <Empty
      title={
        chips.some((chip) => chip.startsWith("in:"))
          ? t("search.none-there")
          : t("search.none", { count })
      }
      text={t(text)}
    >
      <div class="buttons search-filters">
        {chips.map((chip) => (
          <Button
            key={chip}
            onClick={() => onInput({ ...input, chips: chips.filter((other) => other !== chip) })}
          >
            {t("search.without", { filter: chip })}
          </Button>
        ))}
      </div>
    </Empty>
  );
}
