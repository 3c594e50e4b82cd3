import { useEffect, useRef } from "preact/hooks";
import { Empty } from "../parts/empty.tsx";
import { Listing } from "../parts/listing.tsx";
import { formatBadge, UnreadBadge } from "../parts/unread-badge.tsx";
import { keeping, kept } from "../session/kept-lists.ts";
import { PaneHead } from "../session/pane-head.tsx";
import { usePages } from "../session/use-pages.ts";
import type { LaterFilter } from "../state/route.ts";
import { t } from "../words/translate.ts";
import { SavedRow } from "./saved-row.tsx";

const FILTERS: LaterFilter[] = ["open", "due", "done"];

/** My saved messages: open, due and done ones. */
export function Later({ filter }: { filter: LaterFilter }) {
  const pages = usePages("GET /api/saved", { query: { filter } });
  const changes = keeping.value?.changes.value ?? 0;
  const lastChanges = useRef(changes);
  useEffect(() => {
    if (lastChanges.current !== changes) void pages.reload();
    lastChanges.current = changes;
  }, [changes]);
  return (
    <section class="pane">
      <PaneHead title={t("later.title")} text={t("later.text")} />
      <div class="page kept">
        <nav class="filter-tabs" aria-label={t("later.title")}>
          {FILTERS.map((choice) => (
            <a
              key={choice}
              class="chip"
              href={choice === "open" ? "/later" : `/later/${choice}`}
              aria-current={choice === filter ? "page" : undefined}
            >
              {t(`later.${choice}`)}
              {choice === "due" && (
                <UnreadBadge
                  mentions={kept.value.due}
                  isUnread={false}
                  label={formatBadge(kept.value.due)}
                />
              )}
            </a>
          ))}
        </nav>
        {pages.isEmpty ? (
          <Empty title={t(`later.no-${filter}`)} text={t("later.none")} />
        ) : (
          <Listing
            label={t(`later.${filter}`)}
            pages={pages}
            empty=""
            keyOf={({ message }) => message.id}
          >
            {(item) => (
              <SavedRow
                item={item}
                onGone={() => pages.replace((other) => other.message.id === item.message.id, null)}
              />
            )}
          </Listing>
        )}
      </div>
    </section>
  );
}
