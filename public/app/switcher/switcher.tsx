import { Search } from "lucide";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { localStore } from "../connection/storage.ts";
import { comboboxInput, ComboboxList, useCombobox } from "../parts/combobox.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { LoadError } from "../parts/error-text.tsx";
import { Icon } from "../parts/icon.tsx";
import { useDebounced } from "../parts/use-debounced.ts";
import { nameOfDirect } from "../session/direct.ts";
import { openConversation } from "../session/open-conversation.ts";
import { type DialogProps, typedAhead } from "../session/overlay.ts";
import { store } from "../session/store.ts";
import { recentRooms } from "../state/conversations/recent-rooms.ts";
import { partnersOf } from "../state/model/conversation.ts";
import { directList, roomById, roomList } from "../state/model/model.ts";
import { readNews } from "../state/model/unread.ts";
import { type Choice, rankChoices, roomChoices } from "../state/search/choices.ts";
import { t } from "../words/translate.ts";
import { actionChoices, firstActions, searchChoice } from "./actions.ts";
import { ChoiceContent, followChoice } from "./choice-content.tsx";
import { useOpenRooms, usePeople } from "./use-found.ts";

const MAX_RESULTS = 12;
const MAX_RECENT = 5;

/** Finds rooms, people and actions by a few letters. */
export function Switcher({ onClose }: DialogProps<"switcher">) {
  const [query, setQuery] = useState(() => typedAhead.peek());
  const foundQuery = useDebounced(query);
  const people = usePeople(foundQuery);
  const openRooms = useOpenRooms(foundQuery);
  const recent = recentRooms(localStore);
  const isEmpty = query.trim() === "";
  const rooms = roomChoices(roomList(store.state.value), recent, isEmpty ? idOfHere() : null);
  const directs = directChoices();
  const groups = isEmpty ? groupPlaces(rooms, directs, recent) : null;
  const all = groups
    ? [...groups.keys()]
    : [
        ...rooms,
        ...directs,
        ...withoutPairs(people.choices, directs),
        // A room that was joined in the meantime is already among the reader's own.
        ...openRooms.choices.filter(({ key }) => !roomById(store.state.value, key)),
        ...actionChoices(),
      ];
  const last = isEmpty ? firstActions() : [searchChoice(query.trim())];
  const ranked = rankChoices(all, query).slice(0, MAX_RESULTS - last.length);
  const choices = [...ranked, ...last];
  const actions = isEmpty ? t("row.actions") : undefined;
  const combobox = useCombobox(choices, (choice) => {
    onClose();
    followChoice(choice);
  });
  return (
    <Dialog title={t("switcher.title")} onClose={onClose}>
      <Icon of={Search} />
      <input
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
        class="choices switcher scroll"
        optionClass="choice hover gap-12 rounded"
        keyOf={(choice) => choice.key}
        arrange={(options) =>
          arrange(options, (i) =>
            i < ranked.length ? choices[i] && groups?.get(choices[i]) : actions,
          )
        }
      >
        {(choice) => <ChoiceContent choice={choice} hasHeading={isEmpty} />}
      </ComboboxList>
      {people.hasFailed && <LoadError text={t("search.no-people")} onRetry={people.retry} />}
    </Dialog>
  );
}

const idOfHere = () => openConversation.value?.id ?? null;

/**
 * What is listed before anything is typed, with its heading: the rooms and conversations that were
 * open before this one, those with unread messages, and the other rooms.
 */
function groupPlaces(rooms: Choice[], directs: Choice[], recent: string[]): Map<Choice, string> {
  const here = idOfHere();
  const places = new Map(
    [...directs, ...rooms].filter(({ key }) => key !== here).map((place) => [place.key, place]),
  );
  const last = recent.flatMap((id) => places.get(id) ?? []).slice(0, MAX_RECENT);
  const others = [...places.values()].filter((place) => !last.includes(place));
  const unread = others.filter(isUnread);
  const readRooms = others.filter(
    (place) => place.kind === "room" && !isUnread(place) && !place.room.is_archived,
  );
  return new Map([
    ...last.map((place) => [place, t("switcher.recent")] as const),
    ...unread.map((place) => [place, t("switcher.unread")] as const),
    ...readRooms.map((place) => [place, t("sidebar.rooms")] as const),
  ]);
}

const isUnread = (place: Choice) => "room" in place && readNews(place.room.membership).isUnread;

/** Puts options that follow each other and have the same heading into a group. */
function arrange(options: VNode[], headingOf: (index: number) => string | undefined) {
  const groups = Map.groupBy(options.keys(), (i) => headingOf(i));
  return [...groups].map(([heading, indexes]) => {
    const inside = indexes.map((i) => options[i]);
    if (!heading) return inside;
    return (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls
      <div key={heading} role="group" aria-label={heading}>
        <p class="group-name muted small strong" aria-hidden="true">
          {heading}
        </p>
        {inside}
      </div>
    );
  });
}

type DirectChoice = Choice & { kind: "direct" };

/** My conversations; a conversation with one other person is found under their name. */
function directChoices(): DirectChoice[] {
  return directList(store.state.value).map((room) => {
    const name = nameOfDirect(room.direct);
    return { kind: "direct", key: room.id, label: name, room };
  });
}

/** Removes people with whom I have a conversation of two. */
function withoutPairs(people: Choice[], directs: DirectChoice[]): Choice[] {
  const pairs = directs.filter(({ room }) => room.direct.kind !== "group");
  const partnerIds = new Set(
    pairs.flatMap(({ room }) => partnersOf(room.direct, store.me.value?.id).map((user) => user.id)),
  );
  return people.filter((person) => person.kind !== "person" || !partnerIds.has(person.user.id));
}
