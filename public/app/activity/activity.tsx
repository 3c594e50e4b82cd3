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
import { t } from "../words/translate.ts";
import { ActivityRow } from "./activity-row.tsx";

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
