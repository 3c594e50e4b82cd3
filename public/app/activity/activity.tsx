import { Bell, MailCheck } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Activity as Item, ActivityType } from "../../../src/wire/activity.ts";
import { listedMessageActions } from "../messages/message-actions.ts";
import { senderOf } from "../messages/message-author.tsx";
import { MessageLine } from "../messages/message-line.tsx";
import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { FilterBar } from "../parts/filter-bar.tsx";
import { ListRow, type RowAction } from "../parts/list-row.tsx";
import { Listing } from "../parts/listing.tsx";
import { focusAbove } from "../parts/return-focus.ts";
import { PHONE, useMedia } from "../parts/use-media.ts";
import { ListPage } from "../session/list-page.tsx";
import { markedUnreadRoom } from "../session/mark-read.ts";
import { markUnread } from "../session/mark-unread.ts";
import { Avatar, nameOf } from "../session/person.tsx";
import { store } from "../session/store.ts";
import { showError } from "../session/toasts.ts";
import { useLivePages } from "../session/use-live-items.ts";
import { messageField } from "../state/live-items.ts";
import { usePages } from "../session/use-pages.ts";
import { conversationById } from "../state/model/model.ts";
import { readNews } from "../state/model/unread.ts";
import { countActivity } from "../state/personal/personal.ts";
import { messagePath } from "../state/route.ts";
import { formatList, t, tRich } from "../words/translate.ts";

const keyOf = ({ type, message }: Item) => `${type} ${message.id}`;

/** A further reaction or reply makes an entry new again. */
const stampOf = (item: Item) => `${keyOf(item)} ${item.at}`;

type Filter = "all" | ActivityType;
const FILTERS: Filter[] = ["all", "mention", "reply", "reaction"];

/** Mentions of me, and replies and reactions to my messages, in one list. New entries come first. */
export function Activity() {
  const [filter, setFilter] = useState<Filter>("all");
  const query = filter === "all" ? {} : { type: filter };
  const loaded = usePages("GET /api/activity", { query });
  const pages = useLivePages(loaded, messageField());
  const scroller = useRef<HTMLDivElement>(null);
  const isPart = filter !== "all" || loaded.isOfEarlierInput;
  const news = useNews(pages.items, isPart, scroller, () => void pages.reload());
  const fresh = pages.items?.filter((item) => news.has(keyOf(item))) ?? [];
  const earlier = pages.items?.filter((item) => !news.has(keyOf(item))) ?? null;
  const unread = pages.items?.filter(news.isUnread) ?? [];
  const isPhone = useMedia(PHONE);
  const readAll = unread.length > 0 && (
    <Button
      kind="bare"
      onClick={({ currentTarget }) => {
        focusAbove(currentTarget);
        news.clear(unread);
      }}
    >
      {t("action.mark-all-read")}
    </Button>
  );
  const rowOf = (item: Item) => (
    <ActivityRow
      item={item}
      isNew={news.isUnread(item)}
      onRead={() => news.read([item])}
      onUnread={() => news.unread(item)}
    />
  );
  const showNew = () => {
    scroller.current?.scrollTo({ top: 0 });
    setFilter("all");
    void pages.reload();
  };
  return (
    <ListPage
      title={t("shell.activity")}
      back={null}
      text={t("activity.text")}
      scroller={scroller}
      actions={
        <>
          {news.hasMore && (
            <Button kind="primary" onClick={showNew}>
              {t("activity.show-new")}
            </Button>
          )}
          {isPhone && readAll}
        </>
      }
      filters={
        <FilterBar<Filter>
          label={t("shell.activity")}
          value={filter}
          onValue={(value) => setFilter(value)}
          filters={FILTERS.map((value) => {
            return { value, label: t(`activity.${value}`) };
          })}
          more={!isPhone && readAll}
        />
      }
    >
      {fresh.length > 0 && (
        <section>
          <h2>{t("label.new")}</h2>
          <ul class="list" aria-label={t("label.new")}>
            {fresh.map((item) => (
              <li key={keyOf(item)}>{rowOf(item)}</li>
            ))}
          </ul>
        </section>
      )}
      <section>
        {fresh.length > 0 && earlier && earlier.length > 0 && <h2>{t("activity.earlier")}</h2>}
        <Listing
          label={t("activity.earlier")}
          pages={{ ...pages, items: earlier }}
          empty={<Empty icon={Bell} title={t("activity.none")} text={t("activity.none-text")} />}
          keyOf={keyOf}
        >
          {rowOf}
        </Listing>
      </section>
    </ListPage>
  );
}

/**
 * Marks the list as seen, and remembers what was new when this visit began, so that it stays marked
 * as new until the reader leaves, or marks all as read. New entries are loaded at once while the top of the list is
 * visible.
 * @param isPart whether entries are left out, which the mark of the list must not pass
 */
function useNews(
  items: Item[] | null,
  isPart: boolean,
  scroller: { current: HTMLDivElement | null },
  reload: () => void,
) {
  const newKeys = useRef(new Set<string>());
  const readStamps = useRef(new Set<string>());
  const [, rerender] = useState(0);
  for (const item of items ?? []) {
    const key = keyOf(item);
    if (item.is_unread && !readStamps.current.has(stampOf(item))) newKeys.current.add(key);
  }
  const newest = items?.[0]?.at;
  const readAt = store.state.value.personal.activity?.read_at;
  useEffect(() => {
    if (isPart || !newest || document.hidden || !items?.some((item) => item.is_unread)) return;
    store.call("POST /api/activity/read", { body: { at: newest } }).catch(() => {});
  }, [newest, isPart]);
  const { mentions, reactions } = countActivity(store.state.value);
  const isSeen = newest === undefined || (readAt !== undefined && readAt >= newest);
  const count = mentions + reactions;
  const hasMore = items !== null && isSeen && count > 0;
  useEffect(() => {
    const scrolled = scroller.current?.scrollTop ?? 0;
    const mayHaveMore = hasMore || (isPart && items !== null && count > 0);
    if (mayHaveMore && scrolled < TOP_PX && !document.hidden) reload();
  }, [hasMore, count]);
  const change = (stamps: string[]) => {
    readStamps.current = new Set(stamps);
    rerender((n) => n + 1);
  };
  const read = (all: Item[]) => {
    change([...readStamps.current, ...all.map(stampOf)]);
    markItemsRead(all.filter(isMessageUnread)).catch((error) => {
      showError(error);
      const failed = new Set(all.map(stampOf));
      change([...readStamps.current].filter((stamp) => !failed.has(stamp)));
    });
  };
  return {
    has: (key: string) => newKeys.current.has(key),
    isUnread: (item: Item) =>
      !readStamps.current.has(stampOf(item)) &&
      (newKeys.current.has(keyOf(item)) || isMessageUnread(item)),
    hasMore,
    read,
    unread(item: Item) {
      change([...readStamps.current].filter((stamp) => stamp !== stampOf(item)));
      markUnread(item.message);
    },
    clear(all: Item[]) {
      newKeys.current.clear();
      read(all);
      const at = newest ?? new Date().toISOString();
      store.call("POST /api/activity/read", { body: { at } }).catch(() => {});
    },
  };
}

/**
 * Marks rooms and threads as read up to the newest of these entries in each.
 * @param items the newest first
 */
async function markItemsRead(items: Item[]): Promise<void> {
  const placeOf = ({ type, message }: Item) =>
    type === "reply" ? message.thread_id : message.room_id;
  const newest = items.filter(
    (item, index) => items.findIndex((other) => placeOf(other) === placeOf(item)) === index,
  );
  await Promise.all(
    newest.map(({ type, room: { id }, message }) => {
      if (type === "reply" && message.thread_id) {
        const input = { params: { id: message.thread_id }, body: { seq: message.seq } };
        return store.call("POST /api/messages/:id/thread/read", input);
      }
      if (markedUnreadRoom.value === id) markedUnreadRoom.value = null;
      const input = { params: { id }, body: { message_id: message.id } };
      return store.call("POST /api/rooms/:id/read", input);
    }),
  );
}

/** Whether an entry's message is still unread, in a thread or in a room that is not muted. */
function isMessageUnread({ type, room, message: { seq, thread_id } }: Item): boolean {
  const state = store.state.value;
  if (type === "reaction") return false;
  if (type === "reply") {
    const readSeq = state.threads?.[thread_id ?? ""]?.read_seq ?? null;
    return readSeq !== null && seq > readSeq;
  }
  const membership = conversationById(state, room.id)?.membership;
  return readNews(membership).mentions > 0 && seq > (membership?.last_read_seq ?? seq);
}

/** Up to this scroll distance, the list shows its first entries. */
const TOP_PX = 48;

/** Up to this many names are listed; of more people only the first is named, so that a phone shows what they did. */
const MAX_NAMED = 2;

type RowProps = { item: Item; isNew: boolean; onRead(): void; onUnread(): void };

function ActivityRow(props: RowProps) {
  const { item, isNew } = props;
  const { at, room, message, users } = item;
  const [first = message.author] = users;
  return (
    <ListRow
      href={messagePath(room, message)}
      mark={<Avatar user={first} size={32} />}
      title={
        // Left to right like all sentences of the client, even if it begins with an Arabic name.
        <span class="row-event row wrap muted small" dir="ltr">
          {describe(item)}
        </span>
      }
      at={at}
      news={isNew ? {} : null}
      text={<MessageLine message={message} />}
      actions={actionsOf(props)}
    />
  );
}

function actionsOf({ item: { message }, isNew, onRead, onUnread }: RowProps): RowAction[] {
  const actions = listedMessageActions(message, onUnread);
  if (!isNew) return actions;
  const read = { icon: MailCheck, label: t("action.mark-read"), shortcut: "E", onSelect: onRead };
  return [read, ...actions];
}

function describe({ type, room, message, users, user_count: count, emojis }: Item) {
  const isReaction = type === "reaction";
  const names = isReaction ? users.map(nameOf) : [senderOf(message)];
  const isShort = type === "mention" || count <= (isReaction ? MAX_NAMED : 1);
  const [name = ""] = names;
  const people = isShort ? (
    <span class="truncate" dir="auto">
      {names.length > 1 ? formatList(names) : name}
    </span>
  ) : (
    tRich("activity.and-others", {
      name,
      count: count - 1,
      // A long name is cut, and the count is not.
      cut: () => (
        <span class="truncate" dir="auto">
          {name}
        </span>
      ),
      rest: (inner) => <span class="rigid">{inner}</span>,
    })
  );
  const values = {
    who: name,
    room: room.name,
    b: () => <b>{people}</b>,
    what: (inner: ComponentChildren[]) => <span class="truncate">{inner}</span>,
  };
  if (type === "reply") return tRich("activity.replied", { ...values, count });
  if (isReaction) return tRich("activity.reacted", { ...values, count, emojis: emojis.join(" ") });
  if (!message.broadcast) return tRich("activity.mentioned", values);
  return message.broadcast === "room"
    ? tRich("activity.mentioned-all", values)
    : tRich("activity.mentioned-here", values);
}
