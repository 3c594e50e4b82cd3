import { useEffect, useId, useRef, useState } from "preact/hooks";
import { background } from "../session/navigation.ts";
import { type DialogProps, typedAhead } from "../session/overlay.ts";
import { store } from "../session/store.ts";
import { Dialog } from "../parts/dialog.tsx";
import { useDebounced } from "../parts/use-debounced.ts";
import { type Choice, rankChoices, roomChoices } from "../state/choices.ts";
import { roomByName, roomList } from "../state/model.ts";
import { readNews } from "../state/news.ts";
import { recentRooms } from "../state/recent-rooms.ts";
import { actionChoices, searchChoice } from "./actions.ts";
import { directChoices, withoutPairs } from "./direct-choices.ts";
import { ChoiceRow, followChoice } from "./choice-row.tsx";
import { usePeople } from "./use-people.ts";
import { t, tRich } from "../words/translate.ts";
import { localStore } from "../connection/storage.ts";

declare module "../session/overlay.ts" {
  interface Dialogs {
    switcher: object;
  }
}

const MAX_RESULTS = 12;

/** Finds rooms, people and actions by a few letters. */
export function Switcher({ onClose }: DialogProps<"switcher">) {
  const [query, setQuery] = useState(() => typedAhead.peek());
  const [at, setAt] = useState(0);
  const people = usePeople(useDebounced(query));
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const here = background.value.route;
  const room = here.name === "room" ? roomByName(store.state.value, here.room) : undefined;
  const rooms = roomChoices(roomList(store.state.value), recentRooms(localStore), room?.id ?? null);
  const directs = directChoices();
  const all =
    query.trim() === ""
      ? [...directs.filter(({ room }) => readNews(room.membership).isUnread), ...rooms]
      : [...rooms, ...directs, ...withoutPairs(people, directs), ...actionChoices()];
  const ranked = rankChoices(all, query).slice(0, MAX_RESULTS);
  const shown = query.trim() === "" ? ranked : [...ranked, searchChoice(query.trim())];
  const current = Math.min(at, shown.length - 1);
  useEffect(() => {
    list.current?.children[current]?.scrollIntoView({ block: "nearest" });
  }, [current]);
  const choose = (choice: Choice | undefined) => {
    if (!choice) return;
    onClose();
    followChoice(choice);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter") choose(shown[current]);
    else if (step && shown.length > 0) setAt((current + step + shown.length) % shown.length);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={t("switcher.title")} onClose={onClose}>
      <input
        class="input"
        type="text"
        role="combobox"
        aria-label={t("switcher.what")}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={shown[current] ? `${id}-${current}` : undefined}
        placeholder={t("switcher.what")}
        autocomplete="off"
        autofocus
        value={query}
        onInput={(event) => {
          setQuery(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div ref={list} class="choices" id={id} role="listbox" aria-label={t("switcher.results")}>
        {shown.map((choice, i) => (
          <ChoiceRow
            key={choice.key}
            id={`${id}-${i}`}
            choice={choice}
            selected={i === current}
            onChoose={() => choose(choice)}
          />
        ))}
      </div>
      {ranked.length === 0 && <p class="muted">{t("switcher.none")}</p>}
      <p class="muted small keys-hint" aria-hidden="true">
        {tRich("switcher.keys", { key: (inner) => <kbd>{inner}</kbd> })}
      </p>
    </Dialog>
  );
}
