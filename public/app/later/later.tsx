import { Bookmark } from "lucide";
import { useEffect, useRef } from "preact/hooks";
import { Empty } from "../parts/empty.tsx";
import { FilterBar } from "../parts/filter-bar.tsx";
import { Listing } from "../parts/listing.tsx";
import { personalCounts } from "../session/personal-signals.ts";
import { ListPage } from "../session/list-page.tsx";
import { store } from "../session/store.ts";
import { useLivePages } from "../session/use-live-items.ts";
import { messageField } from "../state/live-items.ts";
import { usePages } from "../session/use-pages.ts";
import { changesSaved } from "../state/personal/personal.ts";
import type { LaterFilter } from "../state/route.ts";
import { t } from "../words/translate.ts";
import { SavedRow } from "./saved-row.tsx";

const FILTERS: LaterFilter[] = ["open", "due", "done"];

/** My saved messages: open, due and done ones. */
export function Later({ filter }: { filter: LaterFilter }) {
  const pages = useLivePages(usePages("GET /api/saved", { query: { filter } }), messageField());
  const latest = useRef(pages);
  latest.current = pages;
  useEffect(
    () =>
      store.onEvent((event) => {
        if (changesSaved(store.state.peek(), event)) void latest.current.reload();
      }),
    [],
  );
  return (
    <ListPage
      title={t("shell.later")}
      text={t("later.text")}
      filters={
        <FilterBar
          label={t("shell.later")}
          value={filter}
          filters={FILTERS.map((value) => {
            const href = value === "open" ? "/later" : `/later/${value}`;
            const count = value === "due" ? personalCounts.value.due : 0;
            return { value, label: t(`later.${value}`), href, count };
          })}
        />
      }
    >
      <Listing
        label={t(`later.${filter}`)}
        pages={pages}
        empty={<Empty icon={Bookmark} title={t(`later.no-${filter}`)} text={t("later.none")} />}
        keyOf={({ message }) => message.id}
      >
        {(item) => (
          <SavedRow
            item={item}
            onGone={() => pages.replace((other) => other.message.id === item.message.id, null)}
          />
        )}
      </Listing>
    </ListPage>
  );
}
