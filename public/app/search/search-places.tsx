import { useDebounced } from "../parts/use-debounced.ts";
import { store } from "../session/store.ts";
import { type Choice, rankChoices, roomChoices } from "../state/search/choices.ts";
import { roomList } from "../state/model/model.ts";
import { recentRooms } from "../state/conversations/recent-rooms.ts";
import { FILTER_AT_END, type SearchInput } from "../state/search/search-query.ts";
import { ChoiceMark, followChoice } from "../switcher/choice-content.tsx";
import { usePeople } from "../switcher/use-people.ts";
import { t } from "../words/translate.ts";
import { localStore } from "../connection/storage.ts";

type SearchPlacesProps = { input: SearchInput; onInput(input: SearchInput): void };

/** People and rooms of each kind that are shown above the messages. */
const MAX_PLACES = 3;
const MAX_VALUES = 8;
/** Phrases and excluded words are left out. */
const IS_NAME = /^[#@]?[\p{L}\p{N}][^":]*$/u;

/** People and rooms that match the text. While a filter is being typed, those that can complete it. */
export function SearchPlaces({ input, onInput }: SearchPlacesProps) {
  const [, , minus = "", name = "", value = ""] = FILTER_AT_END.exec(input.text) ?? [];
  const isFilter = name !== "";
  const text = isFilter ? value : input.text.trim();
  const people = usePeople(useDebounced(name === "in" ? "" : text));
  const rooms = roomChoices(roomList(store.state.value), recentRooms(localStore), null);
  const most = isFilter ? MAX_VALUES : MAX_PLACES;
  const choices = [
    ...(name === "from" || name === "mentions" ? [] : rankChoices(rooms, text).slice(0, most)),
    ...rankChoices(people, text).slice(0, most),
  ];
  if (choices.length === 0 || !(isFilter || IS_NAME.test(text))) return null;
  const choose = (choice: Choice) => {
    if (!isFilter) return followChoice(choice);
    const chip = `${minus}${name.toLowerCase()}:${nameIn(choice)}`;
    const text = input.text.replace(FILTER_AT_END, "$1");
    onInput({ chips: [...input.chips, chip], text });
    document.querySelector<HTMLElement>(".search-field input")?.focus();
  };
  return (
    <section>
      <h2>{t(isFilter ? "search.complete" : "search.places")}</h2>
      <ul>
        {choices.map((choice) => (
          <li key={choice.key}>
            <button type="button" class="search-row" data-stop onClick={() => choose(choice)}>
              <ChoiceMark choice={choice} />
              <span class="truncate" dir="auto">
                {choice.label}
                {choice.kind === "person" && (
                  <>
                    {" "}
                    <bdi class="muted small">@{choice.hint}</bdi>
                  </>
                )}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const nameIn = (choice: Choice) => (choice.kind === "person" ? choice.hint : choice.label);
