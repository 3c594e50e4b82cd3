import { Search } from "lucide";
import { useEffect, useState } from "preact/hooks";
import type { MyRoom, Page } from "../../../src/wire/models.ts";
import { navigate } from "../session/navigation.ts";
import { store } from "../session/store.ts";
import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { Field } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { useAction } from "../parts/use-action.ts";
import { useSettled } from "../parts/use-settled.ts";
import { roomPath } from "../state/route.ts";
import { PaneHead } from "../session/pane-head.tsx";
import { hidden } from "../parts/hidden.tsx";
import { tRich, t } from "../words/translate.ts";

export function Browse() {
  const [query, setQuery] = useState("");
  const wanted = useSettled(query);
  const [page, setPage] = useState<Page<MyRoom> | null>(null);
  const action = useAction();
  const load = (cursor: string | null) =>
    action.run(async () => {
      const search = new URLSearchParams({
        limit: "50",
        ...(wanted && { query: wanted }),
        ...(cursor && { cursor }),
      });
      const next = await store.api.get<Page<MyRoom>>(`/api/rooms/browse?${search}`);
      setPage(cursor && page ? { ...next, items: [...page.items, ...next.items] } : next);
    });
  useEffect(() => void load(null), [wanted]);
  return (
    <section class="pane">
      <PaneHead title={t("shell.browse")} text={t("browse.text")} />
      <div class="page">
        <Field
          label={t("search-by-name")}
          type="search"
          value={query}
          onValue={setQuery}
          autocomplete="off"
          autofocus
        />
        {action.error && <ErrorText>{action.error}</ErrorText>}
        {page?.items.length === 0 && (
          <Empty
            title={query ? t("browse.none-found") : t("browse.none")}
            text={query ? t("browse.other-word") : t("browse.create")}
          />
        )}
        <ul class="list">
          {page?.items.map((room) => (
            <OpenRoom key={room.id} room={room} />
          ))}
        </ul>
        {page?.next && (
          <Button wide busy={action.busy} onClick={() => void load(page.next)}>
            <Icon of={Search} />
            {t("show-more")}
          </Button>
        )}
      </div>
    </section>
  );
}

function OpenRoom({ room }: { room: MyRoom }) {
  const action = useAction();
  const isMine = Boolean(store.state.value.rooms?.[room.id]);
  const enter = () =>
    action.run(async () => {
      if (!isMine) store.keepRoom(await store.api.post<MyRoom>(`/api/rooms/${room.id}/join`));
      navigate(roomPath(room.name));
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
      <Button kind={isMine ? "quiet" : "primary"} busy={action.busy} onClick={() => void enter()}>
        {tRich(isMine ? "browse.open" : "browse.join", { room: room.name, hidden })}
      </Button>
    </li>
  );
}
