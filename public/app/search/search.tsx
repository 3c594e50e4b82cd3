import { ArrowLeft, X } from "lucide";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { localStore } from "../connection/storage.ts";
import { IconButton } from "../parts/button.tsx";
import { isEscape } from "../parts/escape.ts";
import { moveFocus, UP_AND_DOWN } from "../parts/move-focus.ts";
import { useReturnFocus } from "../parts/return-focus.ts";
import { ONE_PANE, useMedia } from "../parts/use-media.ts";
import { Boundary } from "../session/boundary.tsx";
import { isShiftCommand } from "../session/keys.ts";
import { searched, useScreenTitle } from "../session/navigation.ts";
import { closeSearch, setSearch, resolveHere } from "../session/search-address.ts";
import { store } from "../session/store.ts";
import {
  addRecentSearch,
  readInput,
  type SearchInput,
  withoutOpenFilter,
  writeInput,
} from "../state/search/search-query.ts";
import { t } from "../words/translate.ts";
import { SearchBegin } from "./search-begin.tsx";
import { SearchField } from "./search-field.tsx";
import { SearchFilters, type SearchSort } from "./search-filters.tsx";
import { SearchPlaces, useSearchPlaces } from "./search-places.tsx";
import { SearchCount, SearchResultList } from "./search-result-list.tsx";
import { useSearch } from "./use-search.ts";

/** The search, in its own error boundary, so that an error leaves the room beside it usable. */
export function Search({ isScreen }: { isScreen?: boolean }) {
  return (
    <Boundary of={searched.value}>
      <SearchPanel isScreen={isScreen} />
    </Boundary>
  );
}

/**
 * Searches messages, beside the room or on its own screen. The query is in the address, so that
 * reloads and Back restore it.
 */
function SearchPanel({ isScreen = false }: { isScreen?: boolean }) {
  const [input, setInput] = useState(() => resolveHere(readInput(searched.peek() ?? "")));
  const query = writeInput(input);
  const [sort, setSort] = useState<SearchSort>("newest");
  const searchedQuery = writeInput(withoutOpenFilter(input));
  const search = useSearch(searchedQuery, sort);
  const panel = useRef<HTMLElement>(null);
  const returnFocus = useReturnFocus();
  const close = () => void closeSearch().then(returnFocus);
  const lastQuery = useRef(searched.peek());
  // The browser went back or forward, or a link changed the query.
  useEffect(() => {
    if (searched.value === null || searched.value === lastQuery.current) return;
    lastQuery.current = searched.value;
    setInput(resolveHere(readInput(searched.value)));
  }, [searched.value]);
  // In the task of the input, so that Back from a result that is opened at once leads to this query.
  useLayoutEffect(() => {
    if (query === searched.peek()) return;
    lastQuery.current = query;
    setSearch(query);
  }, [query]);
  useEffect(() => {
    // The search shortcut moves the focus back to the field.
    const onKey = (event: KeyboardEvent) => {
      if (!isShiftCommand(event, "f")) return;
      event.preventDefault();
      panel.current?.querySelector("input")?.select();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  useScreenTitle(isScreen ? t("search.title") : null);
  const keep = () => addRecentSearch(localStore, store.me.value?.id ?? "", query);
  const change = (next: SearchInput) => setInput(resolveHere(next));
  // Once the panel covers the screen, the screen's heading cannot be reached.
  const isCovering = useMedia(ONE_PANE);
  const places = useSearchPlaces(input, change);
  const isEmpty = query === "";
  return (
    <section
      ref={panel}
      // What it covers is inert, also the screen's `main`.
      role={isCovering && !isScreen ? "main" : undefined}
      class={`search-panel ${isScreen ? "screen" : ""}`}
      aria-label={t("search.title")}
      onKeyDown={(event) => {
        if (event.defaultPrevented) return;
        if (isScreen || !isEscape(event)) return moveAmongResults(event, event.currentTarget);
        close();
        event.preventDefault();
      }}
    >
      {(isCovering || isScreen) && <h1 class="visually-hidden">{t("search.title")}</h1>}
      <header class="pane-head border-bottom">
        {!isScreen && isCovering && (
          <IconButton icon={ArrowLeft} label={t("search.close")} onClick={close} />
        )}
        <SearchField
          input={input}
          // Opened from the bar of a phone, the screen shows the bar instead of the keyboard.
          isFocused={!isScreen || isOnlyPlace(input)}
          onInput={change}
          onComplete={places.complete}
          onEnter={keep}
        />
        {!isScreen && !isCovering && (
          <IconButton icon={X} label={t("search.close")} onClick={close} />
        )}
      </header>
      <SearchFilters input={input} onInput={change}>
        {searchedQuery !== "" && (
          <SearchCount search={search} query={searchedQuery} sort={sort} onSort={setSort} />
        )}
      </SearchFilters>
      <div class="search-body grow scroll">
        {isEmpty && <SearchBegin onInput={change} />}
        {!isEmpty && <SearchPlaces places={places} />}
        {!isEmpty && (
          <SearchResultList search={search} input={input} onInput={change} onOpen={keep} />
        )}
      </div>
    </section>
  );
}

/** Whether the search was just opened from a room, which is its only filter. */
const isOnlyPlace = ({ chips: [chip, ...others], text }: SearchInput) =>
  chip?.startsWith("in:") === true && others.length === 0 && text === "";

/** Arrows move the focus between the field and the results. */
function moveAmongResults(event: KeyboardEvent, panel: HTMLElement): void {
  const stops = [...panel.querySelectorAll<HTMLElement>("input, [data-stop]")];
  // From an action, the arrows start at its row.
  const row = document.activeElement?.closest(".list-row");
  const from = row?.querySelector("[data-stop]") ?? document.activeElement;
  moveFocus(event, stops, UP_AND_DOWN, { from });
}
