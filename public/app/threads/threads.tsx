import { Check, MailCheck, MailOpen, MessageSquareText } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ThreadItem } from "../../../src/wire/threads.ts";
import { senderOf } from "../messages/message-author.tsx";
import { MessageLine } from "../messages/message-line.tsx";
import { Button } from "../parts/button.tsx";
import { ChipMenu } from "../parts/chip-menu.tsx";
import { Empty } from "../parts/empty.tsx";
import { FilterBar } from "../parts/filter-bar.tsx";
import { Icon } from "../parts/icon.tsx";
import { ListRow, type RowAction } from "../parts/list-row.tsx";
import { Listing } from "../parts/listing.tsx";
import { RoomName } from "../parts/room-icon.tsx";
import { focusAbove } from "../parts/return-focus.ts";
import { PHONE, useMedia } from "../parts/use-media.ts";
import { ListPage } from "../session/list-page.tsx";
import { markThreadsRead } from "../session/mark-read.ts";
import { Avatar, findUser } from "../session/person.tsx";
import { store } from "../session/store.ts";
import { markUnreadFrom } from "../session/thread-actions.ts";
import { reportOutcome, showError } from "../session/toasts.ts";
import type { MessageOf } from "../state/live-items.ts";
import { useLivePages } from "../session/use-live-items.ts";
import { usePages } from "../session/use-pages.ts";
import { isAuthor, roomById, roomList } from "../state/model/model.ts";
import { threadPath } from "../state/route.ts";
import { t } from "../words/translate.ts";
import { followAction } from "./thread-menu.tsx";

const ITS_ROOT: MessageOf<ThreadItem> = {
  read: ({ root }) => root,
  write: (item, root) => ({ ...item, root }),
};

const ITS_LAST_REPLY: MessageOf<ThreadItem> = {
  read: ({ last_reply }) => last_reply,
  write: (item, last_reply) => ({ ...item, last_reply }),
  clear: (item) => ({ ...item, last_reply: null }),
};

const keyOf = ({ root }: ThreadItem) => root.id;

/** The threads that the reader follows, unread ones first; or all threads of one room. */
export function Threads() {
  const [filter, setFilter] = useState<"following" | "unread" | "room">("following");
  const [roomId, setRoomId] = useState<string | null>(null);
  const query = { last_reply: "true", filter, room_id: roomId ?? undefined } as const;
  const loaded = usePages("GET /api/threads", { query });
  const pages = useLivePages(useLivePages(loaded, ITS_ROOT), ITS_LAST_REPLY);
  useReload(() => void pages.reload());
  const readAll = async () => {
    await markThreadsRead();
    await pages.reload();
  };
  const isNew = ({ unread_count }: ThreadItem) => unread_count > 0;
  const fresh = filter === "room" ? [] : (pages.items?.filter(isNew) ?? []);
  const isPhone = useMedia(PHONE);
  const readAllButton = fresh.length > 0 && (
    <Button
      kind="bare"
      onClick={({ currentTarget }) => {
        focusAbove(currentTarget);
        reportOutcome(readAll(), () => t("threads.all-read"));
      }}
    >
      {t("action.mark-all-read")}
    </Button>
  );
  const earlier =
    filter === "room" ? pages.items : (pages.items?.filter((thread) => !isNew(thread)) ?? null);
  return (
    <ListPage
      title={t("shell.threads")}
      text={t("threads.text")}
      actions={isPhone && readAllButton}
      filters={
        <ThreadFilters
          filter={filter}
          roomId={roomId}
          onFilter={(next, id) => {
            setFilter(next);
            setRoomId(id);
          }}
        >
          {!isPhone && readAllButton}
        </ThreadFilters>
      }
    >
      {fresh.length > 0 && (
        <section>
          <h2>{t("threads.new")}</h2>
          <ul class="list" aria-label={t("threads.new")}>
            {fresh.map((item) => (
              <li key={keyOf(item)}>
                <ThreadRow item={item} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        {fresh.length > 0 && earlier && earlier.length > 0 && <h2>{t("threads.earlier")}</h2>}
        <Listing
          label={t("threads.earlier")}
          pages={{ ...pages, items: earlier }}
          empty={
            <Empty
              icon={MessageSquareText}
              title={t(`threads.none-${filter}`)}
              text={t("threads.none-text")}
            />
          }
          keyOf={keyOf}
        >
          {(item) => <ThreadRow item={item} />}
        </Listing>
      </section>
    </ListPage>
  );
}

type FiltersProps = {
  filter: "following" | "unread" | "room";
  roomId: string | null;
  onFilter(filter: FiltersProps["filter"], roomId: string | null): void;
  children: ComponentChildren;
};

function ThreadFilters({ filter, roomId, onFilter, children }: FiltersProps) {
  const rooms = roomList(store.state.value);
  const chosen = rooms.find(({ id }) => id === roomId);
  return (
    <FilterBar
      label={t("shell.threads")}
      value={filter}
      onValue={(next) => onFilter(next, null)}
      filters={[
        { value: "following", label: t("threads.following") },
        { value: "unread", label: t("threads.new") },
      ]}
      more={
        <>
          <ChipMenu
            label={chosen ? `#${chosen.name}` : t("threads.in-room")}
            isOn={chosen !== undefined}
            items={rooms.map(({ id, name }) => {
              const onSelect = () => onFilter("room", id);
              return { id, label: `#${name}`, checked: id === roomId, onSelect };
            })}
          />
          {children}
        </>
      }
    />
  );
}

/** Loads the list again after an event of a thread that the reader follows. */
function useReload(reload: () => void): void {
  const { threads: follows } = store.state.value;
  // `seq` is omitted, because it also changes with events that do not affect the list.
  const followsKey = useMemo(
    () => JSON.stringify(follows, (key, value) => (key === "seq" ? undefined : value)),
    [follows],
  );
  const loadedKey = useRef(followsKey);
  useEffect(() => {
    if (loadedKey.current === followsKey) return;
    loadedKey.current = followsKey;
    reload();
  }, [followsKey]);
}

const MAX_FACES = 3;

/** A thread in a list with its last reply, linked to the thread. */
function ThreadRow({ item }: { item: ThreadItem }) {
  const { root, room, unread_count } = item;
  const { thread, author } = root;
  const title = thread?.title ?? null;
  return (
    <ListRow
      href={threadPath(room.name, root.id)}
      mark={<Avatar user={author} size={32} />}
      title={title ?? senderOf(root)}
      place={
        <>
          <RoomName
            room={roomById(store.state.value, room.id) ?? { privacy: "open" }}
            name={room.name}
          />{" "}
          {thread?.is_resolved && <Icon of={Check} />}
          {thread?.is_resolved && <span class="visually-hidden">{t("is-done")}</span>}
        </>
      }
      at={thread?.last_reply_at}
      news={
        unread_count > 0
          ? { count: unread_count, label: t("threads.new-replies", { count: unread_count }) }
          : null
      }
      text={
        <>
          {title && `${senderOf(root)}: `}
          {root.deleted_at ? t("message.was-deleted") : <MessageLine message={root} />}
        </>
      }
      actions={actionsOf(item)}
    >
      <LastReply item={item} />
    </ListRow>
  );
}

const MAX_NAME = 12;

/** The first word of a name, so that a phone has space for the beginning of the reply. */
function shorten(name: string): string {
  const [first = ""] = name.split(/\s/u);
  return first.length > MAX_NAME ? `${first.slice(0, MAX_NAME - 1)}…` : first;
}

/** Who has replied, the number of replies, and the last one. */
function LastReply({ item: { root, last_reply } }: { item: ThreadItem }) {
  const { thread } = root;
  const isPhone = useMedia(PHONE);
  if (!thread) return null;
  const people = thread.author_ids.slice(0, MAX_FACES).flatMap((id) => findUser(id) ?? []);
  return (
    <span class="row-people gap-4 row muted small">
      {people.map((user) => (
        <Avatar key={user.id} user={user} size={20} />
      ))}
      <span class="truncate" dir="auto">
        <b>{t("thread.replies", { count: thread.reply_count })}</b>
        {last_reply && ` · ${isPhone ? shorten(senderOf(last_reply)) : senderOf(last_reply)}: `}
        {last_reply && <MessageLine message={last_reply} />}
      </span>
    </span>
  );
}

function actionsOf({ root, follow, unread_count, last_reply }: ThreadItem): RowAction[] {
  const { id } = root;
  const following = followAction(id, follow.is_following);
  if (!follow.is_following || !last_reply) return [following];
  if (unread_count > 0) {
    const input = { params: { id }, body: { seq: last_reply.seq } };
    const read = () =>
      void store.call("POST /api/messages/:id/thread/read", input).catch(showError);
    return [
      { icon: MailCheck, label: t("action.mark-read"), shortcut: "E", onSelect: read },
      following,
    ];
  }
  // My own replies are never unread.
  if (isAuthor(store.me.value, last_reply)) return [following];
  const unread = () => void markUnreadFrom(id, last_reply.id);
  return [{ icon: MailOpen, label: t("row.unread"), shortcut: "U", onSelect: unread }, following];
}
