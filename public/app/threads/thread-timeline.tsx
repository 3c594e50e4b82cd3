import { useEffect } from "preact/hooks";
import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { following } from "../messages/active-message.ts";
import { MessageRow } from "../messages/message.tsx";
import { takeTail } from "../messages/pending-tail.ts";
import { PendingRows } from "../messages/pending.tsx";
import { dayKey } from "../parts/times.ts";
import { deletions, store } from "../session/store.ts";
import { getThreads } from "../session/get-threads.ts";
import { markThreadRead } from "../session/thread-marks.ts";
import type { RoomView } from "../state/model/model.ts";
import { LoadMoreRow } from "../timeline/ends.tsx";
import { History } from "../timeline/history.tsx";
import { LatestButton } from "../timeline/jump-buttons.tsx";
import { visibleRange } from "../timeline/scroll-anchor.ts";
import { useScrollPosition } from "../timeline/use-scroll-position.ts";
import { useFirstUnread } from "./use-first-unread.ts";
import { t } from "../words/translate.ts";

type TimelineProps = { room: MyRoom; view: RoomView; root: Message; replyId: string | null };

/**
 * The root of a thread and its replies. It loads more at its ends, and marks visible replies as
 * read.
 */
export function ThreadTimeline({ room, view, root, replyId }: TimelineProps) {
  const { id } = root;
  const { history } = getThreads().open;
  const pending = store.unsent.value.filter((entry) => entry.thread_id === id);
  const first = useFirstUnread(view);
  const place = useScrollPosition(id, view, {
    sending: pending.length,
    start: replyId ? null : first,
    history,
    onLook(list) {
      const onScreen = document.hasFocus() ? visibleRange(list) : null;
      if (onScreen && view.messages.length > 0) markThreadRead(id, onScreen.to);
    },
  });
  const isThere = view.messages.some((message) => message.id === replyId);
  useEffect(() => {
    const message = view.messages.find((message) => message.id === replyId);
    if (message) place.goTo(message, "center");
  }, [replyId, isThere]);
  const messages = place.shown.filter((message) => !deletions.hidden.value.has(message.id));
  const isStart = !view.hasBefore && place.shown[0] === view.messages[0];
  const more = (direction: "before" | "after") => () => void history.loadMore(id, direction);
  const tail = place.isEnd ? takeTail(pending, messages.at(-1)) : [];
  const count = root.thread?.reply_count ?? 0;
  return (
    <div class="timeline-wrap">
      <div
        ref={place.list}
        {...following}
        class="timeline"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        role="log"
        aria-label={t("thread.messages")}
        aria-live="off"
      >
        <ol>
          {isStart ? (
            <>
              <MessageRow
                room={room}
                message={root}
                head
                marked={replyId === id}
                first={messages.length === 0}
                inThread={id}
              />
              <li class="divider">
                {count > 0 ? t("thread.replies", { count }) : t("thread.none")}
              </li>
            </>
          ) : (
            <LoadMoreRow view={view} direction="before" onRetry={more("before")} />
          )}
          <History
            room={room}
            messages={messages}
            firstUnread={first?.id}
            marked={replyId}
            tail={tail}
            inThread={id}
            hiddenDay={dayKey(root.created_at)}
          />
          {place.isEnd ? (
            <PendingRows entries={pending.slice(tail.length)} last={messages.at(-1)} />
          ) : (
            <LoadMoreRow view={view} direction="after" onRetry={more("after")} />
          )}
        </ol>
      </div>
      {!(place.isEnd && place.atBottom) && <LatestButton missed={0} onGo={place.toLatest} />}
    </div>
  );
}
