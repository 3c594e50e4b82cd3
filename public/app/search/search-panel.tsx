import { ArrowLeft, X } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import { IconButton } from "../parts/button.tsx";
import { isEscape } from "../parts/escape.ts";
import { moveFocus, UP_AND_DOWN } from "../parts/move-focus.ts";
import { useReturnFocus } from "../parts/return-focus.ts";
import { isShiftCommand } from "../session/keys.ts";
import { navigateTo, searched } from "../session/navigation.ts";
import { store } from "../session/store.ts";
import {
  readInput,
  type SearchInput,
  withoutOpenFilter,
  writeInput,
} from "../state/search/search-query.ts";
import { keepSearch } from "../state/search/recent-searches.ts";
import { t } from "../words/translate.ts";
import { closeSearch, setSearch } from "../session/search-address.ts";
import { resolveHere } from "./here.ts";
import { SearchBegin, SearchFilters } from "./search-begin.tsx";
import { SearchField } from "./search-field.tsx";
import { SearchPlaces, useSearchPlaces } from "./search-places.tsx";
import { SearchResultList } from "./search-result-list.tsx";
import { useSearch } from "./use-search.ts";
import { localStore } from "../connection/storage.ts";

/**
 * Searches messages, beside the room or as a screen of its own. The query is in the address, so that
 * a reload and Back return to it.
 */
export function SearchPanel({ isScreen = false }: { isScreen?: boolean }) {
  const [input, setInput] = useState(() => resolveHere(readInput(searched.peek() ?? "")));
  const query = writeInput(input);
  const search = useSearch(writeInput(withoutOpenFilter(input)));
  const panel = useRef<HTMLElement>(null);
  const returnFocus = useReturnFocus();
  const close = () => {
    closeSearch();
    returnFocus();
  };
  const written = useRef(searched.peek());
  // The browser went back or forward, or a link has another query.
  useEffect(() => {
    if (searched.value === null || searched.value === written.current) return;
    written.current = searched.value;
    setInput(resolveHere(readInput(searched.value)));
  }, [searched.value]);
  useEffect(() => {
    if (query === searched.peek()) return;
    written.current = query;
    setSearch(query);
  }, [query]);
  useEffect(() => {
    // The key that opens the search returns to its field.
    const onKey = (event: KeyboardEvent) => {
      if (!isShiftCommand(event, "f")) return;
      event.preventDefault();
      panel.current?.querySelector("input")?.select();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  const keep = () => keepSearch(localStore, store.me.value?.id ?? "", query);
  const change = (next: SearchInput) => setInput(resolveHere(next));
  const places = useSearchPlaces(input, change);
  const isEmpty = query === "";
  return (
    <section
      ref={panel}
      class={`search-panel ${isScreen ? "screen" : ""}`}
      aria-label={t("search.title")}
      onKeyDown={(event) => {
        if (event.defaultPrevented) return;
        if (isScreen || !isEscape(event)) return moveAmongResults(event, event.currentTarget);
        close();
        event.preventDefault();
      }}
    >
      {isScreen && <h1 class="visually-hidden">{t("search.title")}</h1>}
      <header class="pane-head">
        {isScreen && (
          <IconButton
            icon={ArrowLeft}
            label={t("search.back")}
            class="only-phone"
            onClick={goBack}
          />
        )}
        <SearchField input={input} onInput={change} onComplete={places.complete} onEnter={keep} />
        {!isScreen && <IconButton icon={X} label={t("search.close")} onClick={close} />}
      </header>
      <div class="search-body">
        <SearchFilters input={input} onInput={change} />
        {isEmpty && <SearchBegin onInput={change} />}
        {!isEmpty && <SearchPlaces places={places} />}
        {!isEmpty && (
          <SearchResultList search={search} input={input} onInput={change} onOpen={keep} />
        )}
      </div>
    </section>
  );
}

/** To where the reader came from, or to the rooms if the page began here. */
function goBack(): void {
  if (history.length > 1) history.back();
  else navigateTo("/");
}

/** Arrows move among the field and the results. */
function moveAmongResults(event: KeyboardEvent, panel: HTMLElement): void {
  moveFocus(event, [...panel.querySelectorAll<HTMLElement>("input, [data-stop]")], UP_AND_DOWN);
}
