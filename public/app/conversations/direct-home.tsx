import { MailCheck, MailOpen, MessagesSquare, SquarePen, X } from "lucide";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Direct } from "../../../src/wire/models.ts";
import { Button, IconButton } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { FilterBar } from "../parts/filter-bar.tsx";
import { ListRow, type RowAction } from "../parts/list-row.tsx";
import { formatBadge } from "../parts/unread-badge.tsx";
import { nameOfDirect, openDirectWith } from "../session/direct.ts";
import { Faces } from "../session/faces.tsx";
import { ListPage } from "../session/list-page.tsx";
import { markRead } from "../session/mark-read.ts";
import { markUnread } from "../session/mark-unread.ts";
import { hideDirect } from "../session/membership-actions.ts";
import { openDialog } from "../session/overlay.ts";
import { nameOf } from "../session/person.tsx";
import { DraftSign, MutedSign } from "../session/row-signs.tsx";
import { store } from "../session/store.ts";
import { mayHide } from "../state/conversations/directs.ts";
import { Load } from "../state/load.ts";
import type { DirectRoom } from "../state/model/conversation.ts";
import { directList } from "../state/model/model.ts";
import { readNews } from "../state/model/unread.ts";
import { directPath } from "../state/route.ts";
import { t } from "../words/translate.ts";

type Filter = "all" | "unread";

const newMessage = () => openDialog({ name: "new-message" });

/** All conversations that are not hidden, including old ones; the tab "Direct" on a phone. */
export function DirectHome() {
  const isLoaded = store.state.value.conversations !== null;
  const [filter, setFilter] = useState<Filter>("all");
  const all = directList(store.state.value);
  const last = useLastMessages(all);
  const list =
    filter === "all" ? all : all.filter(({ membership }) => readNews(membership).isUnread);
  return (
    <ListPage
      title={t("direct.title")}
      actions={<IconButton icon={SquarePen} label={t("direct.new-key")} onClick={newMessage} />}
      filters={
        <FilterBar<Filter>
          label={t("direct.title")}
          value={filter}
          onValue={(value) => setFilter(value)}
          filters={[
            { value: "all", label: t("filter.all") },
            { value: "unread", label: t("filter.unread") },
          ]}
        />
      }
    >
      {!isLoaded && <div class="loading grow" role="status" aria-label={t("loading")} />}
      {isLoaded && list.length === 0 && all.length > 0 && (
        <Empty icon={MailCheck} title={t("direct.all-read")} text={t("direct.all-read-text")} />
      )}
      {isLoaded && all.length === 0 && (
        <Empty icon={MessagesSquare} title={t("direct.none")} text={t("direct.none-text")}>
          <Button kind="primary" onClick={newMessage}>
            {t("direct.new")}
          </Button>
          <Button onClick={() => openDirectWith([])}>{t("direct.notes-begin")}</Button>
        </Empty>
      )}
      {list.length > 0 && (
        <ul class="list" aria-label={t("direct.title")}>
          {list.map((room) => (
            <li key={room.id}>
              <ConversationRow room={room} last={last.get(room.id) ?? null} />
            </li>
          ))}
        </ul>
      )}
    </ListPage>
  );
}

type LastMessage = NonNullable<Direct["last_message"]>;

function ConversationRow({ room, last }: { room: DirectRoom; last: LastMessage | null }) {
  const { direct, membership } = room;
  const { isUnread, isMuted, mutedUntil, mentions } = readNews(membership);
  return (
    <ListRow
      href={directPath(room.id)}
      mark={<Faces direct={direct} size={32} />}
      title={
        <span class="row gap-4">
          <span class="truncate">{nameOfDirect(direct)}</span>
          <DraftSign id={room.id} />
          {isMuted && <MutedSign until={mutedUntil} />}
        </span>
      }
      at={room.last_message_at}
      news={isUnread ? { count: mentions, label: formatBadge(mentions) } : null}
      // Reserves the line's height until the text is loaded.
      text={<span class="truncate">{last ? describe(direct, last) : " "}</span>}
      actions={actionsOf(room, last)}
      onSwipe={mayHide(room) ? () => hideDirect(room) : undefined}
    />
  );
}

function actionsOf(room: DirectRoom, last: LastMessage | null): RowAction[] {
  if (!mayHide(room)) {
    const read = () => markRead(room);
    return [{ icon: MailCheck, label: t("action.mark-read"), shortcut: "E", onSelect: read }];
  }
  const label = t("direct.hide-one", { name: nameOfDirect(room.direct) });
  const hide = { icon: X, label, shortcut: "Delete", onSelect: () => hideDirect(room) };
  // My own messages are never unread.
  if (!last || last.author_id === store.me.value?.id) return [hide];
  const unread = () => markUnread({ id: last.id, room_id: room.id });
  return [{ icon: MailOpen, label: t("row.unread"), shortcut: "U", onSelect: unread }, hide];
}

/** The service's largest page size. Conversations beyond it show no text. */
const PAGE_SIZE = 200;

/**
 * Loads the last message of each conversation, by the conversation's id, and again after a change
 * in one of them.
 */
function useLastMessages(list: DirectRoom[]): Map<string, LastMessage | null> {
  const [last, setLast] = useState(new Map<string, LastMessage | null>());
  const load = useMemo(
    () =>
      new Load({
        clock: store.clock,
        fetch: (signal) =>
          store.call(
            "GET /api/direct",
            { query: { last_message: "true", limit: PAGE_SIZE } },
            { signal },
          ),
        merge: ({ items }) =>
          setLast(new Map(items.map(({ id, last_message }) => [id, last_message ?? null]))),
      }),
    [],
  );
  useEffect(() => () => load.cancel(), []);
  const changes = list.map(({ id, seq }) => `${id} ${seq}`).join();
  useEffect(() => load.refresh(), [changes]);
  return last;
}

function describe({ kind, members }: DirectRoom["direct"], last: LastMessage): string {
  const { author_id, excerpt } = last;
  const text = excerpt || t("pin.no-text");
  if (kind === "self") return text;
  if (author_id === store.me.value?.id) return t("direct.last-mine", { text });
  const author = members.find(({ user }) => user.id === author_id)?.user;
  if (kind === "pair" || !author) return text;
  return t("name-and-text", { name: nameOf(author), text });
}
