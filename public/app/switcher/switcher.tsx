import { useState } from "preact/hooks";
import { background } from "../session/navigation.ts";
import { type DialogProps, typedAhead } from "../session/overlay.ts";
import { store } from "../session/store.ts";
import { ComboboxList, comboboxInput, useCombobox } from "../parts/combobox.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { useDebounced } from "../parts/use-debounced.ts";
import { rankChoices, roomChoices } from "../state/search/choices.ts";
import { roomByName, roomList } from "../state/model/model.ts";
import { readNews } from "../state/model/unread.ts";
import { recentRooms } from "../state/conversations/recent-rooms.ts";
import { actionChoices, searchChoice } from "./actions.ts";
import { directChoices, withoutPairs } from "./direct-choices.ts";
import { ChoiceContent, followChoice } from "./choice-content.tsx";
import { usePeople } from "./use-people.ts";
import { t, tRich } from "../words/translate.ts";
import { localStore } from "../connection/storage.ts";

const MAX_RESULTS = 12;

/** Finds rooms, people and actions by a few letters. */
export function Switcher({ onClose }: DialogProps<"switcher">) {
  const [query, setQuery] = useState(() => typedAhead.peek());
  const people = usePeople(useDebounced(query));
  const here = background.value.route;
  const room = here.name === "room" ? roomByName(store.state.value, here.room) : undefined;
  const rooms = roomChoices(roomList(store.state.value), recentRooms(localStore), room?.id ?? null);
  const directs = directChoices();
  const all =
    query.trim() === ""
      ? [...directs.filter(({ room }) => readNews(room.membership).isUnread), ...rooms]
      : [...rooms, ...directs, ...withoutPairs(people.choices, directs), ...actionChoices()];
  const ranked = rankChoices(all, query).slice(0, MAX_RESULTS);
  const choices = query.trim() === "" ? ranked : [...ranked, searchChoice(query.trim())];
  const combobox = useCombobox(choices, (choice) => {
    onClose();
    followChoice(choice);
  });
  return (
    <Dialog title={t("switcher.title")} onClose={onClose}>
      <input
        class="input"
        {...comboboxInput(combobox)}
        aria-label={t("switcher.what")}
        placeholder={t("switcher.what")}
        autofocus
        value={query}
        onInput={(event) => {
          setQuery(event.currentTarget.value);
          combobox.reset();
        }}
        onKeyDown={combobox.onKeyDown}
      />
      <ComboboxList
        combobox={combobox}
        label={t("switcher.results")}
        class="choices"
        optionClass="choice"
        keyOf={(choice) => choice.key}
      >
        {(choice) => <ChoiceContent choice={choice} />}
      </ComboboxList>
      <p class="muted small keys-hint" aria-hidden="true">
        {tRich("switcher.keys", { key: (inner) => <kbd>{inner}</kbd> })}
      </p>
    </Dialog>
  );
}
