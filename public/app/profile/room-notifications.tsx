import { useState } from "preact/hooks";
import type { MyRoom, Notify } from "../../../src/wire/models.ts";
import { changeMembership } from "../session/membership.ts";
import { store } from "../session/store.ts";
import { ErrorText } from "../parts/error-text.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { useAction } from "../parts/use-action.ts";
import { roomList } from "../state/model/model.ts";
import { t } from "../words/translate.ts";

const CHOICES = ["all", "mentions", "none"] as const satisfies Notify[];
/** With this many rooms or more there is a filter. */
const FILTERED_FROM = 9;

/** The notification settings of all my rooms, in one list. */
export function RoomNotifications() {
  const [query, setQuery] = useState("");
  const rooms = roomList(store.state.value).filter((room) => !room.is_archived);
  const matches = rooms.filter((room) => room.name.includes(query.trim().toLowerCase()));
  if (rooms.length === 0) return null;
  return (
    <section class="card">
      <h2>{t("room-notify.title")}</h2>
      {rooms.length >= FILTERED_FROM && (
        <SearchBox label={t("room-list.filter")} hasLabel value={query} onValue={setQuery} />
      )}
      {matches.length === 0 && <p class="muted">{t("room-notify.none-found")}</p>}
      <ul class="list room-notify" aria-label={t("room-notify.title")}>
        {matches.map((room) => (
          <RoomChoice key={room.id} room={room} />
        ))}
      </ul>
    </section>
  );
}

function RoomChoice({ room }: { room: MyRoom }) {
  const action = useAction();
  const now = room.membership?.notify ?? "all";
  const choose = (notify: Notify) => action.run(() => changeMembership(room.id, { notify }));
  return (
    <li class={now === "none" ? "muted" : ""}>
      <span class="grow truncate">#{room.name}</span>
      {action.error && <ErrorText>{action.error}</ErrorText>}
      <select
        class="input"
        aria-label={t("room-notify.of", { room: room.name })}
        value={now}
        disabled={action.busy}
        onChange={({ currentTarget }) => void choose(currentTarget.value as Notify)}
      >
        {CHOICES.map((notify) => (
          <option key={notify} value={notify}>
            {t(`notify.${notify}`)}
          </option>
        ))}
      </select>
    </li>
  );
}
