import { Plus } from "lucide";
import { useState } from "preact/hooks";
import type { MyRoom } from "../../../src/wire/models.ts";
import { navigateTo } from "../session/navigation.ts";
import { overlay } from "../session/overlay.ts";
import { store } from "../session/store.ts";
import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { Field } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { useAction } from "../parts/use-action.ts";
import { useDebounced } from "../parts/use-debounced.ts";
import { roomPath } from "../state/route.ts";
import { usePages } from "../session/use-pages.ts";
import { PaneHead } from "../session/pane-head.tsx";
import { visuallyHidden } from "../parts/visually-hidden.tsx";
import { tRich, t } from "../words/translate.ts";

/** The open rooms of the team, to read or to join. */
export function Browse() {
  const [query, setQuery] = useState("");
  const pages = usePages("GET /api/rooms/browse", {
    query: { query: useDebounced(query) || undefined },
  });
  return (
    <section class="pane">
      <PaneHead title={t("shell.browse")} text={t("browse.text")} />
      <div class="page">
        <div class="find-row">
          <Field
            label={t("search-by-name")}
            type="search"
            value={query}
            onValue={setQuery}
            autocomplete="off"
            // A phone would cover half of the list with its keyboard.
            autofocus={matchMedia("(pointer: fine)").matches}
          />
          <Button
            onClick={() => {
              overlay.value = { name: "create-room" };
            }}
          >
            <Icon of={Plus} />
            {t("create.title")}
          </Button>
        </div>
        {pages.error && <ErrorText>{pages.error}</ErrorText>}
        {pages.items?.length === 0 && (
          <Empty
            title={query ? t("browse.none-found") : t("browse.none")}
            text={query ? t("browse.other-word") : t("browse.create")}
          />
        )}
        <ul class="list">
          {pages.items?.map((room) => (
            <OpenRoom key={room.id} room={room} />
          ))}
        </ul>
        {pages.hasMore && (
          <Button wide busy={pages.busy} onClick={pages.loadMore}>
            {t("show-more")}
          </Button>
        )}
      </div>
    </section>
  );
}

function OpenRoom({ room }: { room: MyRoom }) {
  const action = useAction();
  const { rooms } = store.state.value;
  // Until the sidebar is loaded, as it was when this list was.
  const isMine = rooms ? room.id in rooms : room.membership !== null;
  const enter = () =>
    action.run(async () => {
      if (!isMine)
        store.places.keep(
          await store.api.call("POST /api/rooms/:id/join", { params: { id: room.id } }),
        );
      navigateTo(roomPath(room.name));
    });
  return (
    <li>
      <div class="grow">
        <p class="truncate">
          <b>#{room.name}</b>
        </p>
        <p class="muted small truncate">
          {t("browse.about", { count: room.member_count })}
          {room.description && ` · ${room.description}`}
        </p>
        {action.error && <ErrorText>{action.error}</ErrorText>}
      </div>
      <Button busy={action.busy} onClick={() => void enter()}>
        {tRich(isMine ? "browse.open" : "browse.join", { room: room.name, hidden: visuallyHidden })}
      </Button>
    </li>
  );
}
