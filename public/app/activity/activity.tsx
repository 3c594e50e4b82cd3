import { Bell, BookmarkPlus, MailOpen } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Activity as Item, ActivityType } from "../../../src/wire/activity.ts";
import { senderOf } from "../messages/message-author.tsx";
import { MessageLine } from "../messages/message-line.tsx";
import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { FilterBar } from "../parts/filter-bar.tsx";
import { ListRow, type RowAction } from "../parts/list-row.tsx";
import { Listing } from "../parts/listing.tsx";
import { ListPage } from "../session/list-page.tsx";
import { markUnread } from "../session/mark-unread.ts";
import { Avatar, nameOf } from "../session/person.tsx";
import { isSaved, toggleSaved } from "../session/save-message.ts";
import { store } from "../session/store.ts";
import { useLivePages } from "../session/use-live-items.ts";
import { messageField } from "../state/live-items.ts";
import { usePages } from "../session/use-pages.ts";
import { conversationById } from "../state/model/model.ts";
import { readNews } from "../state/model/unread.ts";
import { countActivity } from "../state/personal/personal.ts";
import { messagePath } from "../state/route.ts";
import { formatList, t, tRich } from "../words/translate.ts";

const keyOf = ({ type, message }: Item) => `${type} ${message.id}`;

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
        news.hasMore && (
          <Button kind="primary" onClick={showNew}>
            {t("activity.show-new")}
          </Button>
        )
      }
      filters={
        <FilterBar<Filter>
          label={t("shell.activity")}
          value={filter}
          onValue={(value) => setFilter(value)}
          filters={FILTERS.map((value) => {
            return { value, label: t(`activity.${value}`) };
          })}
        />
      }
    >
      {fresh.length > 0 && (
        <section>
          <div class="row between">
            <h2>{t("label.new")}</h2>
            <Button kind="bare" onClick={news.clear}>
              {t("action.mark-all-read")}
            </Button>
          </div>
          <ul class="list" aria-label={t("label.new")}>
            {fresh.map((item) => (
              <li key={keyOf(item)}>
                <ActivityRow item={item} isNew />
              </li>
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
          {(item) => (
            <ActivityRow item={item} isNew={!news.isCleared(keyOf(item)) && isUnread(item)} />
          )}
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
  const clearedKeys = useRef(new Set<string>());
  const [, rerender] = useState(0);
  for (const item of items ?? []) {
    const key = keyOf(item);
    if (item.is_unread && !clearedKeys.current.has(key)) newKeys.current.add(key);
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
  const clear = () => {
    clearedKeys.current = new Set([...clearedKeys.current, ...newKeys.current]);
    newKeys.current.clear();
    rerender((n) => n + 1);
    const at = newest ?? new Date().toISOString();
    store.call("POST /api/activity/read", { body: { at } }).catch(() => {});
  };
  return {
    has: (key: string) => newKeys.current.has(key),
    isCleared: (key: string) => clearedKeys.current.has(key),
    hasMore,
    clear,
  };
}

/** Whether an entry's message is still unread, in a thread or in a room that is not muted. */
function isUnread({ type, room, message: { seq, thread_id } }: Item): boolean {
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

function ActivityRow({ item, isNew }: { item: Item; isNew?: boolean }) {
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
      actions={actionsOf(item)}
    />
  );
}

function actionsOf({ message }: Item): RowAction[] {
  const label = t(isSaved(message.id) ? "later.remove" : "later.save");
  const save = {
    icon: BookmarkPlus,
    label,
    shortcut: "S",
    onSelect: () => toggleSaved(message.id),
  };
  if (message.thread_id) return [save];
  const unread = () => markUnread(message);
  return [save, { icon: MailOpen, label: t("unread.mark"), shortcut: "U", onSelect: unread }];
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
