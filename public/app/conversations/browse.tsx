import { Check, Compass, LogIn, Plus } from "lucide";
import { useState } from "preact/hooks";
import { makeExcerpt } from "../../../src/wire/markdown/plain.ts";
import type { MyRoom } from "../../../src/wire/models.ts";
import type { BrowseQuery } from "../../../src/wire/queries.ts";
import { Button, IconButton } from "../parts/button.tsx";
import { ChipMenu } from "../parts/chip-menu.tsx";
import { Empty } from "../parts/empty.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { FilterBar } from "../parts/filter-bar.tsx";
import { Icon } from "../parts/icon.tsx";
import { ListRow, RoomMark } from "../parts/list-row.tsx";
import { Listing, type Pages } from "../parts/listing.tsx";
import { getRest } from "../parts/load-rest.tsx";
import { isTouch, openContextMenu } from "../parts/menu-list.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { useAction } from "../parts/use-action.ts";
import { useDebounced } from "../parts/use-debounced.ts";
import { PHONE, useMedia } from "../parts/use-media.ts";
import { visuallyHidden } from "../parts/visually-hidden.tsx";
import { ListPage } from "../session/list-page.tsx";
import { joinRoom } from "../session/membership-actions.ts";
import { openDialog } from "../session/overlay.ts";
import { store } from "../session/store.ts";
import { usePages } from "../session/use-pages.ts";
import { roomPath } from "../state/route.ts";
import { t, tRich } from "../words/translate.ts";

type Sort = NonNullable<BrowseQuery["sort"]>;
const SORTS: Sort[] = ["name", "members", "activity"];

const MAX_TOPIC = 200;

const createRoom = () => openDialog({ name: "create-room" });

/** The open rooms of the team: first those to join, then the reader's own. */
export function Browse() {
  const [query, setQuery] = useState("");
  const [sort, setSort] = useState<Sort>("name");
  const isPhone = useMedia(PHONE);
  const filter = { query: useDebounced(query) || undefined, sort };
  const others = usePages("GET /api/rooms/browse", { query: { ...filter, joined: "false" } });
  const joinedRooms = usePages("GET /api/rooms/browse", { query: { ...filter, joined: "true" } });
  // Otherwise rooms of later pages would be inserted between the visible ones.
  const isWhole = others.items !== null && !others.hasMore && !others.error;
  const titleOfMine = others.isEmpty && !query ? "browse.all-joined" : "browse.mine";
  return (
    <ListPage
      title={t("shell.browse")}
      text={t("browse.text")}
      actions={
        isPhone ? (
          <IconButton icon={Plus} label={t("create.title")} onClick={createRoom} />
        ) : (
          <Button onClick={createRoom}>
            <Icon of={Plus} /> {t("create.title")}
          </Button>
        )
      }
      filters={
        <FilterBar
          label={t("shell.browse")}
          filters={[]}
          value=""
          more={
            <>
              <SearchBox
                class="grow"
                label={t("search-rooms")}
                placeholder={t("search-rooms")}
                value={query}
                onValue={setQuery}
                // On a phone, the keyboard would cover half of the list.
                autofocus={matchMedia("(pointer: fine)").matches}
              />
              <ChipMenu
                label={t(`browse.by-${sort}`)}
                side="end"
                items={SORTS.map((value) => {
                  const label = t(`browse.by-${value}`);
                  return { label, checked: value === sort, onSelect: () => setSort(value) };
                })}
              />
            </>
          }
        />
      }
    >
      {others.isEmpty && joinedRooms.isEmpty ? (
        <Empty
          icon={Compass}
          title={query ? t("no-rooms-match") : t("browse.none")}
          text={query ? t("browse.other-word") : t("browse.create")}
        />
      ) : (
        <>
          <RoomSection title={t("browse.others")} pages={others} />
          {isWhole && <RoomSection title={t(titleOfMine)} pages={joinedRooms} />}
        </>
      )}
    </ListPage>
  );
}

function RoomSection({ title, pages }: { title: string; pages: Pages<MyRoom> }) {
  if (pages.isEmpty) return null;
  return (
    <section>
      <h2>{title}</h2>
      <Listing label={title} pages={pages} empty={null} keyOf={({ id }) => id}>
        {(room) => <OpenRoom room={room} />}
      </Listing>
    </section>
  );
}

function OpenRoom({ room }: { room: MyRoom }) {
  const action = useAction();
  const isPhone = useMedia(PHONE);
  const { conversations } = store.state.value;
  // Before the sidebar is loaded, use what the list itself says.
  const isMine = conversations ? room.id in conversations : room.membership !== null;
  const { description, last_message_at: at } = room;
  const topic = makeExcerpt(description, MAX_TOPIC);
  const join = () => action.run(() => joinRoom(room));
  const joinItem = { label: t("switcher.join"), icon: LogIn, onSelect: () => void join() };
  return (
    <ListRow
      href={roomPath(room.name)}
      mark={<RoomMark room={room} />}
      title={room.name}
      onMenu={(event) => {
        const mine = conversations?.[room.id];
        if (mine) getRest()?.openConversationMenu(event, mine);
        else if (!isMine && !isTouch(event)) openContextMenu(event, room.name, [joinItem]);
      }}
      // Beside the button, a phone has no space for more than the name.
      at={isPhone && !isMine ? null : at}
      aside={
        !isMine && (
          <Button busy={action.busy} onClick={() => void join()}>
            {tRich("browse.join", { room: room.name, hidden: visuallyHidden })}
          </Button>
        )
      }
      footer={action.error && <ErrorText>{action.error}</ErrorText>}
    >
      <span class="muted small truncate">
        {isMine && (
          <>
            <Icon of={Check} />
            {t("browse.joined")} ·{" "}
          </>
        )}
        {t("browse.about", { count: room.member_count })}
        {topic && (
          <>
            {" "}
            · <bdi>{topic}</bdi>
          </>
        )}
      </span>
    </ListRow>
  );
}
