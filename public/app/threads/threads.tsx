import { Check, CheckCheck } from "lucide";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { ThreadItem } from "../../../src/wire/threads.ts";
import { IconButton } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { Listing } from "../parts/listing.tsx";
import { markThreadsRead } from "../session/mark-read.ts";
import { PaneHead } from "../session/pane-head.tsx";
import { threadNews } from "../session/sidebar-items.ts";
import { screenTitle } from "../session/navigation.ts";
import { store } from "../session/store.ts";
import { reportOutcome } from "../session/toasts.ts";
import { usePages } from "../session/use-pages.ts";
import { roomList } from "../state/model/model.ts";
import { t } from "../words/translate.ts";
import { makeExcerpt } from "../../../src/wire/markdown/plain.ts";
import { senderOf } from "../messages/message-author.tsx";
import { Icon } from "../parts/icon.tsx";
import { Avatar } from "../session/person.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { UnreadBadge } from "../parts/unread-badge.tsx";
import { threadPath } from "../state/route.ts";

const keyOf = ({ root }: ThreadItem) => root.id;

/** The threads that the reader follows, unread ones first; or all threads of one room. */
export function Threads() {
  const [filter, setFilter] = useState<"following" | "unread" | "room">("following");
  const [roomId, setRoomId] = useState<string | null>(null);
  const query = filter === "room" && roomId ? { filter, room_id: roomId } : { filter };
  const pages = usePages("GET /api/threads", { query });
  useReload(() => void pages.reload());
  useEffect(() => {
    screenTitle.value = t("shell.threads");
    return () => {
      screenTitle.value = null;
    };
  }, []);
  const readAll = async () => {
    await markThreadsRead();
    await pages.reload();
  };
  const isNew = ({ unread_count }: ThreadItem) => unread_count > 0;
  const fresh = filter === "room" ? [] : (pages.items?.filter(isNew) ?? []);
  const earlier =
    filter === "room" ? pages.items : (pages.items?.filter((thread) => !isNew(thread)) ?? null);
  return (
    <section class="pane">
      <PaneHead title={t("shell.threads")} text={t("threads.text")}>
        {threadNews.value.mentions > 0 && (
          <IconButton
            icon={CheckCheck}
            label={t("threads.read-all")}
            onClick={() => reportOutcome(readAll(), () => t("threads.all-read"))}
          />
        )}
      </PaneHead>
      <div class="page threads">
        <ThreadFilter
          value={filter === "room" ? (roomId ?? "") : filter}
          onValue={(value) => {
            const isKind = value === "following" || value === "unread";
            setFilter(isKind ? value : "room");
            setRoomId(isKind ? null : value);
          }}
        />
        {pages.isEmpty ? (
          <Empty title={t(`threads.none-${filter}`)} text={t("threads.none-text")} />
        ) : (
          <>
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
            {(earlier === null || earlier.length > 0 || pages.hasMore || pages.error) && (
              <section>
                {fresh.length > 0 && <h2>{t("threads.earlier")}</h2>}
                <Listing
                  label={t("threads.earlier")}
                  pages={{ ...pages, items: earlier }}
                  empty=""
                  keyOf={keyOf}
                >
                  {(item) => <ThreadRow item={item} />}
                </Listing>
              </section>
            )}
          </>
        )}
      </div>
    </section>
  );
}

/** Chooses which threads are listed. */
function ThreadFilter({ value, onValue }: { value: string; onValue(value: string): void }) {
  return (
    <label class="thread-filter">
      <span class="visually-hidden">{t("threads.filter")}</span>
      <select
        class="input"
        value={value}
        onChange={({ currentTarget }) => onValue(currentTarget.value)}
      >
        <option value="following">{t("threads.following")}</option>
        <option value="unread">{t("threads.unread")}</option>
        {roomList(store.state.value).map(({ id, name }) => (
          <option key={id} value={id}>
            {t("threads.room", { room: name })}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Loads the list again after an event of a thread that the reader follows. */
function useReload(reload: () => void): void {
  const { follows } = store.state.value;
  // `seq` is left out: it changes with events that change nothing in the list.
  const followsKey = useMemo(
    () => JSON.stringify(follows, (key, value) => (key === "seq" ? undefined : value)),
    [follows],
  );
  const [loadedWith] = useState({ known: followsKey });
  useEffect(() => {
    if (loadedWith.known === followsKey) return;
    loadedWith.known = followsKey;
    reload();
  }, [followsKey]);
}

const EXCERPT = 200;

/** A thread in a list; it leads there. */
function ThreadRow({ item: { root, room, unread_count } }: { item: ThreadItem }) {
  const { thread, author, content } = root;
  const excerpt = root.deleted_at ? t("message.was-deleted") : makeExcerpt(content, EXCERPT);
  const title = thread?.title ?? null;
  return (
    <a class={`thread-row ${unread_count > 0 ? "new" : ""}`} href={threadPath(room.name, root.id)}>
      <Avatar user={author} />
      <span class="grow">
        <span class="thread-about">
          <b class="truncate" dir="auto">
            {title ?? senderOf(root)}
          </b>
          <span class="muted small truncate" dir="auto">
            #{room.name}
          </span>
          {thread?.is_resolved && <Icon of={Check} />}
          {thread?.is_resolved && <span class="visually-hidden">{t("thread.is-done")}</span>}
        </span>
        <span class="muted excerpt" dir="auto">
          {title && excerpt ? `${senderOf(root)}: ${excerpt}` : (excerpt ?? t("quote.upload"))}
        </span>
        {thread && (
          <span class="small muted">
            {t("thread.replies", { count: thread.reply_count })} ·{" "}
            <TimeAgo at={thread.last_reply_at} />
          </span>
        )}
      </span>
      <UnreadBadge
        mentions={unread_count}
        isUnread={unread_count > 0}
        label={t("threads.new-replies", { count: unread_count })}
      />
    </a>
  );
}
