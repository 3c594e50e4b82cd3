import { useEffect, useState } from "preact/hooks";
import { useDebounced } from "../parts/use-debounced.ts";
import { store } from "../session/store.ts";
import { type Choice, rankChoices, roomChoices } from "../state/search/choices.ts";
import { roomList } from "../state/model/model.ts";
import { recentRooms } from "../state/conversations/recent-rooms.ts";
import { FILTER_AT_END, type SearchInput, takeChips } from "../state/search/search-query.ts";
import { ChoiceMark, followChoice } from "../switcher/choice-content.tsx";
import { usePeople } from "../switcher/use-people.ts";
import { t } from "../words/translate.ts";
import { localStore } from "../connection/storage.ts";

/** People and rooms of each kind that are shown above the messages. */
const MAX_PLACES = 3;
const MAX_VALUES = 8;
/** Phrases and excluded words are left out. */
const IS_NAME = /^[#@]?[\p{L}\p{N}][^":]*$/u;

type Places = {
  /** Whether they complete a filter that is being typed, instead of leading somewhere. */
  isFilter: boolean;
  choices: Choice[];
  choose(choice: Choice): void;
  /**
   * Completes the filter at the end of the text with the first choice, at once or when it has arrived.
   * @returns false if there is no filter to complete
   */
  complete(): boolean;
};

/** People and rooms that match the text. While a filter is being typed, those that can complete it. */
export function useSearchPlaces(input: SearchInput, onInput: (input: SearchInput) => void): Places {
  const [, , minus = "", name = "", value = ""] = FILTER_AT_END.exec(input.text) ?? [];
  const isFilter = name !== "";
  const text = isFilter ? value : input.text.trim();
  const nameQuery = name === "in" ? "" : text.replace(/^@/, "");
  const people = usePeople(useDebounced(nameQuery));
  const rooms = roomChoices(roomList(store.state.value), recentRooms(localStore), null);
  const most = isFilter ? MAX_VALUES : MAX_PLACES;
  const isShown = isFilter || IS_NAME.test(text);
  const choices = [
    ...(name === "from" || name === "mentions" ? [] : rankChoices(rooms, text).slice(0, most)),
    ...rankChoices(people.choices, text).slice(0, most),
  ];
  /** The text for which Enter was pressed before its people had arrived. */
  const [awaited, setAwaited] = useState<string | null>(null);
  const choose = (choice: Choice) => {
    if (!isFilter) return followChoice(choice);
    const chip = `${minus}${name.toLowerCase()}:${nameIn(choice)}`;
    const text = input.text.replace(FILTER_AT_END, "$1");
    onInput({ chips: [...input.chips, chip], text });
    document.querySelector<HTMLElement>(".search-field input")?.focus();
  };
  const isSettled = people.query === nameQuery;
  useEffect(() => {
    if (awaited === null || (awaited === input.text && !isSettled)) return;
    setAwaited(null);
    if (awaited !== input.text) return;
    const [first] = choices;
    if (first) choose(first);
    else onInput(takeChips({ chips: input.chips, text: `${input.text} ` }));
  }, [awaited, isSettled, input.text]);
  const complete = () => {
    // A name that is typed in full, and `me`, mean themselves.
    if (!isFilter || value === "" || value.toLowerCase() === "me") return false;
    setAwaited(input.text);
    return true;
  };
  return { isFilter, choices: isShown ? choices : [], choose, complete };
}

/** The list of people and rooms; Enter takes the first one that completes a filter. */
export function SearchPlaces({ places }: { places: Places }) {
  const { isFilter, choices, choose } = places;
  if (choices.length === 0) return null;
  return (
    <section>
      <h2>{t(isFilter ? "search.complete" : "search.places")}</h2>
      <ul>
        {choices.map((choice, i) => (
          <li key={choice.key}>
            <button type="button" class="search-row" data-stop onClick={() => choose(choice)}>
              <ChoiceMark choice={choice} />
              <span class="grow truncate" dir="auto">
                {choice.label}
                {choice.kind === "person" && (
                  <>
                    {" "}
                    <bdi class="muted small">@{choice.hint}</bdi>
                  </>
                )}
              </span>
              {isFilter && i === 0 && (
                <span aria-hidden="true">
                  <kbd>{t("key.enter")}</kbd>
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const nameIn = (choice: Choice) => (choice.kind === "person" ? choice.hint : choice.label);
