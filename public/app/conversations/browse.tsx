import { Plus } from "lucide";
import { useState } from "preact/hooks";
import type { MyRoom } from "../../../src/wire/models.ts";
import type { BrowseQuery } from "../../../src/wire/queries.ts";
import { navigateTo } from "../session/navigation.ts";
import { overlay } from "../session/overlay.ts";
import { store } from "../session/store.ts";
import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { Select } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { Listing } from "../parts/listing.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { useAction } from "../parts/use-action.ts";
import { useDebounced } from "../parts/use-debounced.ts";
import { roomPath } from "../state/route.ts";
import { usePages } from "../session/use-pages.ts";
import { PaneHead } from "../session/pane-head.tsx";
import { visuallyHidden } from "../parts/visually-hidden.tsx";
import { RowText } from "../parts/row-text.tsx";
import { tRich, t } from "../words/translate.ts";

type Sort = NonNullable<BrowseQuery["sort"]>;
const SORTS: Sort[] = ["name", "members", "activity"];

/** The open rooms of the team, to read or to join. */
export function Browse() {
  const [query, setQuery] = useState("");
  const [sort, setSort] = useState<Sort>("name");
  const pages = usePages("GET /api/rooms/browse", {
    query: { query: useDebounced(query) || undefined, sort },
  });
  return (
    <section class="pane">
      <PaneHead title={t("shell.browse")} text={t("browse.text")} />
      <div class="page">
        <div class="find-row">
          <SearchBox
            label={t("search-by-name")}
            hasLabel
            value={query}
            onValue={setQuery}
            // A phone would cover half of the list with its keyboard.
            autofocus={matchMedia("(pointer: fine)").matches}
          />
          <Select
            label={t("browse.sort")}
            value={sort}
            options={SORTS.map((sort) => [sort, t(`browse.by-${sort}`)])}
            onValue={setSort}
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
        {pages.isEmpty ? (
          <Empty
            title={query ? t("browse.none-found") : t("browse.none")}
            text={query ? t("browse.other-word") : t("browse.create")}
          />
        ) : (
          <Listing label={t("shell.browse")} pages={pages} empty="" keyOf={(room) => room.id}>
            {(room) => <OpenRoom room={room} sort={sort} />}
          </Listing>
        )}
      </div>
    </section>
  );
}

function OpenRoom({ room, sort }: { room: MyRoom; sort: Sort }) {
  const action = useAction();
  const { conversations } = store.state.value;
  // Until the sidebar is loaded, as it was when this list was.
  const isMine = conversations ? room.id in conversations : room.membership !== null;
  const enter = () =>
    action.run(async () => {
      if (!isMine) await store.call("POST /api/rooms/:id/join", { params: { id: room.id } });
      navigateTo(roomPath(room.name));
    });
  return (
    <>
      <RowText title={`#${room.name}`} more={action.error && <ErrorText>{action.error}</ErrorText>}>
        {t("browse.about", { count: room.member_count })}
        {sort === "activity" && room.last_message_at && (
          <>
            {" · "}
            <TimeAgo at={room.last_message_at} />
          </>
        )}
        {room.description && ` · ${room.description}`}
      </RowText>
      <Button busy={action.busy} onClick={() => void enter()}>
        {tRich(isMine ? "browse.open" : "browse.join", { room: room.name, hidden: visuallyHidden })}
      </Button>
    </>
  );
}
