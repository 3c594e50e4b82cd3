import { Search } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { valuesOf } from "../../../src/wire/search.ts";
import { LoadError } from "../parts/error-text.tsx";
import { useDebounced } from "../parts/use-debounced.ts";
import { Icon } from "../parts/icon.tsx";
import { ListRow, RoomMark } from "../parts/list-row.tsx";
import { Avatar } from "../session/person.tsx";
import { store } from "../session/store.ts";
import { type Choice, rankChoices, roomChoices } from "../state/search/choices.ts";
import { partnersOf } from "../state/model/conversation.ts";
import { directList, roomList } from "../state/model/model.ts";
import { recentRooms } from "../state/conversations/recent-rooms.ts";
import { FILTER_AT_END, type SearchInput, takeChips } from "../state/search/search-query.ts";
import { followChoice } from "../switcher/choice-content.tsx";
import { type Found, toPersonChoice, usePeople } from "../switcher/use-found.ts";
import { t } from "../words/translate.ts";
import { localStore } from "../connection/storage.ts";

/** How many people, and how many rooms, are shown above the messages. */
const MAX_PLACES = 3;
const MAX_VALUES = 8;
/** Matches names, but no phrases or excluded words. */
const IS_NAME = /^[#@]?[\p{L}\p{N}][^":]*$/u;

type Places = {
  /**
   * Whether a choice completes the filter that is being typed, instead of opening the room or
   * person.
   */
  isFilter: boolean;
  /** The heading of the choices. */
  title: string;
  choices: Choice[];
  /** The result if the people could not be loaded. */
  failed: Found | null;
  choose(choice: Choice): void;
  /**
   * Completes the filter at the end of the text with the first choice, immediately or once the
   * choices are loaded.
   * @returns false if there is no filter to complete
   */
  complete(): boolean;
};

/** People and rooms that match the text or the filter that is being typed. */
export function useSearchPlaces(input: SearchInput, onInput: (input: SearchInput) => void): Places {
  const [, , minus = "", typedName = "", value = ""] = FILTER_AT_END.exec(input.text) ?? [];
  const name = typedName.toLowerCase();
  const isFilter = name !== "";
  const text = isFilter ? value : input.text.trim();
  const isOfPeople = ["", "from", "mentions"].includes(name);
  const isOfRooms = ["", "in"].includes(name);
  const nameQuery = isOfPeople ? text.replace(/^@/, "") : "";
  const people = usePeople(useDebounced(nameQuery));
  const rooms = roomChoices(roomList(store.state.value), recentRooms(localStore), null);
  const max = isFilter ? MAX_VALUES : MAX_PLACES;
  const isInPlace = input.chips.some((chip) => chip.startsWith("in:"));
  const isShown = isFilter || (IS_NAME.test(text) && !isInPlace);
  const choices = [
    ...(isOfRooms ? rankChoices(rooms, text).slice(0, max) : []),
    ...(isOfPeople ? rankChoices(nameQuery ? people.choices : partners(), text).slice(0, max) : []),
    ...valueChoices(name, value),
  ];
  /** The text at which Enter was pressed before the matching people were loaded. */
  const [awaited, setAwaited] = useState<string | null>(null);
  const choose = (choice: Choice) => {
    if (!isFilter) return followChoice(choice);
    const chip = `${minus}${name}:${valueIn(choice)}`;
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
    if (!isFilter || value.toLowerCase() === "me") return false;
    setAwaited(input.text);
    return true;
  };
  const failed = isShown && isOfPeople && people.hasFailed ? people : null;
  const title = isFilter ? titleOf(choices[0]) : t("search.places");
  return { isFilter, title, choices: isShown ? choices : [], failed, choose, complete };
}

/** The people of my direct conversations, the most recent ones first. */
function partners(): Choice[] {
  const me = store.me.value?.id;
  const users = directList(store.state.value).flatMap(({ direct }) => partnersOf(direct, me));
  return [...new Map(users.map((user) => [user.id, user])).values()].map(toPersonChoice);
}

/** The list of people and rooms; Enter chooses the first one if it completes a filter. */
export function SearchPlaces({ places }: { places: Places }) {
  const { isFilter, title, choices, failed, choose } = places;
  if (choices.length === 0 && !failed) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul class="list">
        {choices.map((choice, i) => (
          <li key={choice.key}>
            <ListRow
              href={null}
              onOpen={() => choose(choice)}
              mark={<PlaceMark choice={choice} />}
              title={choice.label}
              place={choice.kind === "person" && `@${choice.hint}`}
              isCurrent={isFilter && i === 0}
            />
          </li>
        ))}
      </ul>
      {failed && <LoadError text={t("search.no-people")} onRetry={failed.retry} />}
    </section>
  );
}

function PlaceMark({ choice }: { choice: Choice }) {
  if (choice.kind === "person") return <Avatar user={choice.user} size={32} />;
  return choice.kind === "room" ? <RoomMark room={choice.room} /> : <Icon of={Search} />;
}

/** What the values of a filter are. */
function titleOf(choice: Choice | undefined): string {
  if (choice?.kind === "room") return t("sidebar.rooms");
  return t(choice?.kind === "search" ? "search.filters" : "search.people");
}

/** The values of a filter that begin with a text. */
function valueChoices(name: string, start: string): Choice[] {
  const values = valuesOf(name) ?? [];
  return values
    .filter((value) => value.startsWith(start.toLowerCase()))
    .map((value) => ({ kind: "search", key: value, label: `${name}:${value}`, run: () => {} }));
}

/** What a choice is called in a filter. */
function valueIn(choice: Choice): string {
  if (choice.kind === "person") return choice.hint;
  return choice.kind === "search" ? choice.key : choice.label;
}
