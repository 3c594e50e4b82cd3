import type { ComponentChildren, ComponentProps } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { deletions, store } from "../session/store.ts";
import type { OutboxEntry } from "../connection/outbox-entries.ts";
import { showToast } from "../session/toasts.ts";
import type { RoomView } from "../state/model/model.ts";
import { t } from "../words/translate.ts";
import { describeError } from "../words/describe-error.ts";
import { PendingRows, takeTail } from "../messages/pending.tsx";
import { markRead } from "../session/mark-read.ts";
import { useReadMark } from "./use-read-mark.ts";
import { following } from "../messages/active-message.ts";
import { LoadMoreRow, RoomStart } from "./ends.tsx";
import { History } from "./history.tsx";
import { type Flow, foldReplies } from "../state/timeline/fold.ts";
import { areRepliesFull, isShownIn } from "../session/replies.ts";
import { jump, LatestButton, UnreadButton } from "./jump-buttons.tsx";
import { labelOf } from "../parts/place-label.ts";
import { NotLoaded } from "./not-loaded.tsx";
import { useScrollPosition } from "./use-scroll-position.ts";
import { useUnreadDivider } from "./use-unread-divider.ts";

type TimelineProps = { room: MyRoom; view: RoomView; messageId: string | null };

/** The messages of a room. It loads more at its ends and keeps the scroll position. */
export function Timeline({ room, view, messageId }: TimelineProps) {
  const pending = store.unsent.value.filter((entry) => isShownIn(room.id, entry));
  const mark = useReadMark(room, view);
  const line = useUnreadDivider(room, view);
  const hidden = deletions.hidden.value;
  const isFull = areRepliesFull.value;
  const { lines, folds } = useMemo(() => {
    // A deleted root stays for its replies.
    const messages = view.messages.filter(({ id, deleted_at }) => deleted_at || !hidden.has(id));
    return isFull ? { lines: messages } : foldReplies(messages, line.before?.id ?? null);
  }, [view.messages, hidden, line.before, isFull]) as Partial<Flow> & Pick<Flow, "lines">;
  const place = useScrollPosition(
    room.id,
    { ...view, messages: lines },
    {
      sending: pending.length,
      start: messageId ? null : line.before,
      onLook(list, span, isScroll) {
        mark.look(list, isScroll);
        line.look(list, span);
      },
    },
  );
  const missedCount = place.atBottom ? 0 : mark.missed;

  /** Scrolls to the first message at or after a time, and loads it if necessary. */
  const goToTime = (at: string) =>
    store.sync.history.loadAt(room.id, at).then(
      (message) => message && place.goTo(message),
      (error: unknown) => showToast(describeError(error)),
    );
  const jumpRequest = jump.value;
  useEffect(() => {
    if (jumpRequest?.roomId !== room.id) return;
    jump.value = null;
    void goToTime(jumpRequest.at);
  }, [jumpRequest]);
  useMarked(place, view, messageId);

  const { history } = store.sync;
  if (!view.loaded) {
    const retry = () => void history.load(room.id);
    return <NotLoaded room={room} view={view} pending={pending} onRetry={retry} />;
  }
  const more = (direction: "before" | "after") => () => void history.loadMore(room.id, direction);
  const { shown } = place;
  return (
    <div class="timeline-wrap">
      {line.above && (
        <UnreadButton
          since={line.above.since}
          onGo={() => {
            const { first, since } = line.above ?? {};
            if (first) place.goTo(first);
            else if (since) void goToTime(since);
          }}
          onDismiss={() => {
            line.dismiss();
            markRead(room);
          }}
        />
      )}
      <MessageList
        room={room}
        view={view}
        place={place}
        shown={shown}
        label={t("timeline.messages", { room: labelOf(room) })}
        start={
          !view.hasBefore &&
          shown[0] === lines[0] && <RoomStart room={room} isEmpty={shown.length === 0} />
        }
        firstUnread={line.before?.id}
        marked={messageId}
        folds={folds}
        pending={pending}
        onMore={more}
      />
      {(missedCount > 0 || !place.isEnd) && (
        <LatestButton missed={missedCount} onGo={place.toLatest} />
      )}
    </div>
  );
}

type ListProps = {
  room: MyRoom;
  view: RoomView;
  place: ReturnType<typeof useScrollPosition>;
  shown: Message[];
  label: string;
  /** What is above the first message, if that is shown. */
  start: ComponentChildren;
  pending: OutboxEntry[];
  onMore(direction: "before" | "after"): () => void;
} & Omit<ComponentProps<typeof History>, "messages" | "tail">;

/** The messages of a conversation or a thread, in the box that scrolls. */
export function MessageList(props: ListProps) {
  const { view, place, shown, label, start, pending, onMore, ...history } = props;
  const last = shown.at(-1);
  const tail = place.isEnd ? takeTail(pending, last) : [];
  const isFoldLast = last && history.folds?.has(last.id);
  return (
    <div
      ref={place.list}
      {...following}
      class="timeline"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      role="log"
      aria-label={label}
      // Screen readers announce new messages through the announcer only.
      aria-live="off"
    >
      <ol>
        {start || (
          <LoadMoreRow {...place.ask} view={view} direction="before" onRetry={onMore("before")} />
        )}
        <History {...history} messages={shown} tail={tail} />
        {place.isEnd ? (
          <PendingRows entries={pending.slice(tail.length)} last={isFoldLast ? undefined : last} />
        ) : (
          <LoadMoreRow view={view} direction="after" onRetry={onMore("after")} />
        )}
      </ol>
    </div>
  );
}

/** Scrolls to the message of the address, once it is loaded. */
export function useMarked(
  place: ReturnType<typeof useScrollPosition>,
  { loaded, messages }: RoomView,
  id: string | null,
): void {
  const isThere = loaded && messages.some((message) => message.id === id);
  useEffect(() => {
    const message = messages.find((message) => message.id === id);
    if (message) place.goTo(message, "center");
  }, [id, isThere]);
}
