import { useEffect, useRef } from "preact/hooks";
import type { Activity as Item } from "../../../src/wire/activity.ts";
import { store } from "../session/store.ts";
import { PaneHead } from "../session/pane-head.tsx";
import { usePages } from "../session/use-pages.ts";
import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { Listing } from "../parts/listing.tsx";
import { moveFocus, WITH_ENDS } from "../parts/move-focus.ts";
import { countActivity } from "../state/activity/my-activity.ts";
import { formatList, t, tRich } from "../words/translate.ts";
import { toPlainText } from "../../../src/wire/markdown/plain.ts";
import type { Message } from "../../../src/wire/models.ts";
import { senderOf } from "../messages/message-author.tsx";
import { Avatar, nameOf } from "../session/person.tsx";
import { agoOf, fullTimeOf } from "../parts/times.ts";
import { UnreadBadge } from "../parts/unread-badge.tsx";
import { messagePath } from "../state/route.ts";

const keyOf = ({ type, message }: Item) => `${type} ${message.id}`;

/** Mentions of me and reactions to my messages, in one list. New entries come first. */
export function Activity() {
  const pages = usePages("GET /api/activity");
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => {
    addEventListener("keydown", moveAmongEntries);
    return () => removeEventListener("keydown", moveAmongEntries);
  }, []);
  const news = useNews(pages.items, () => void pages.reload());
  const fresh = pages.items?.filter((item) => news.has(keyOf(item))) ?? [];
  const earlier = pages.items?.filter((item) => !news.has(keyOf(item))) ?? null;
  return (
    <section class="pane">
      <PaneHead title={t("shell.activity")} text={t("activity.text")}>
        {news.hasMore && (
          <Button
            kind="primary"
            onClick={() => {
              page.current?.scrollTo({ top: 0 });
              void pages.reload();
            }}
          >
            {t("activity.show-new")}
          </Button>
        )}
      </PaneHead>
      <div class="page activity" ref={page}>
        {pages.isEmpty ? (
          <Empty title={t("activity.none")} text={t("activity.none-text")} />
        ) : (
          <>
            {fresh.length > 0 && (
              <section>
                <h2>{t("activity.new")}</h2>
                <ul class="list" aria-label={t("activity.new")}>
                  {fresh.map((item) => (
                    <li key={keyOf(item)}>
                      <ActivityRow item={item} isNew />
                    </li>
                  ))}
                </ul>
              </section>
            )}
            <section>
              {fresh.length > 0 && earlier && earlier.length > 0 && (
                <h2>{t("activity.earlier")}</h2>
              )}
              <Listing
                label={t("activity.earlier")}
                pages={{ ...pages, items: earlier }}
                empty=""
                keyOf={keyOf}
              >
                {(item) => <ActivityRow item={item} />}
              </Listing>
            </section>
          </>
        )}
      </div>
    </section>
  );
}

/**
 * Marks the list as seen, and remembers what was new when this visit began, so that it stays marked
 * as new until the reader leaves. New entries are loaded at once while the top of the list is
 * visible.
 */
function useNews(items: Item[] | null, reload: () => void) {
  const seenKeys = useRef(new Set<string>());
  for (const item of items ?? []) if (item.is_unread) seenKeys.current.add(keyOf(item));
  const newest = items?.[0]?.at;
  const readAt = store.state.value.activity?.read_at;
  useEffect(() => {
    if (!newest || document.hidden || !items?.some((item) => item.is_unread)) return;
    store.call("POST /api/activity/read", { body: { at: newest } }).catch(() => {});
  }, [newest]);
  const { mentions, reactions } = countActivity(store.state.value);
  const isSeen = newest === undefined || (readAt !== undefined && readAt >= newest);
  const hasMore = items !== null && isSeen && mentions + reactions > 0;
  useEffect(() => {
    const scrolled = document.querySelector(".page.activity")?.scrollTop ?? 0;
    if (hasMore && scrolled < TOP_PX && !document.hidden) reload();
  }, [hasMore, mentions + reactions]);
  return { has: (key: string) => seenKeys.current.has(key), hasMore };
}

/** A list that is scrolled less than this shows its first entries. */
const TOP_PX = 48;

/** Moves between the entries with the arrow keys, Home and End. */
function moveAmongEntries(event: KeyboardEvent): void {
  const { target } = event;
  if (target instanceof Element && target.closest(".sidebar, dialog, input, textarea")) return;
  const rows = document.querySelectorAll<HTMLElement>("a.activity-row");
  moveFocus(event, [...rows], WITH_ENDS);
}

/** Up to this many names are listed; of more people only the first is named. */
const MAX_NAMED = 3;

/** An entry that leads to its message. */
function ActivityRow({ item, isNew }: { item: Item; isNew?: boolean }) {
  const { at, room, message, users } = item;
  const [first = message.author] = users;
  return (
    <a
      class={`activity-row ${isNew ? "new" : ""}`}
      href={messagePath(room, message)}
      data-type={item.type}
    >
      <Avatar user={first} />
      <span class="grow">
        <span class="what">{describe(item)}</span>
        <span class="muted excerpt" dir="auto">
          {excerptOf(message)}
        </span>
      </span>
      <time class="muted small" dateTime={at} data-tooltip={fullTimeOf(at)}>
        {agoOf(at)}
      </time>
      <UnreadBadge mentions={0} isUnread={isNew === true} />
    </a>
  );
}

function describe({ type, room, message, users, user_count, emojis }: Item) {
  const b = (inner: unknown[]) => <b>{inner as string[]}</b>;
  if (type !== "mention") {
    const names = type === "reply" ? [senderOf(message)] : users.map(nameOf);
    const isShort = user_count <= (type === "reply" ? 1 : MAX_NAMED);
    const people = isShort
      ? formatList(names)
      : t("activity.and-others", { name: names[0] ?? "", count: user_count - 1 });
    if (type === "reply") return tRich("activity.replied", { who: people, room: room.name, b });
    return tRich("activity.reacted", { who: people, emojis: emojis.join(" "), room: room.name, b });
  }
  const sender = senderOf(message);
  if (!message.broadcast) return tRich("activity.mentioned", { who: sender, room: room.name, b });
  return message.broadcast === "room"
    ? tRich("activity.mentioned-all", { who: sender, room: room.name, b })
    : tRich("activity.mentioned-here", { who: sender, room: room.name, b });
}

function excerptOf({ content, image, file }: Message): string {
  if (content) return toPlainText(content);
  return file?.name ?? (image ? t("activity.image") : "");
}
