import type { ComponentChildren, ComponentProps } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { showToast } from "../session/toasts.ts";
import { hasNewest, type RoomView } from "../state/model/model.ts";
import { t } from "../words/translate.ts";
import { describeError } from "../words/describe-error.ts";
import { PendingRows, pendingOfLastGallery } from "../messages/pending.tsx";
import { markRead } from "../session/mark-read.ts";
import { useReadMark } from "./use-read-mark.ts";
import { messageListHandlers } from "../messages/active-message.ts";
import { LoadMoreRow, RoomStart } from "./ends.tsx";
import { History, Joined } from "./history.tsx";
import { AT_START, placeJoins } from "../state/model/joins.ts";
import { type GroupedReplies, groupReplies } from "../state/timeline/reply-groups.ts";
import { areRepliesFull, isShownIn, pendingIn } from "../session/replies.ts";
import { jump, LatestButton, UnreadBar } from "./jump-buttons.tsx";
import { labelOf } from "../parts/place-label.ts";
import { NotLoaded } from "./not-loaded.tsx";
import { type Block, useScrollPosition } from "./use-scroll-position.ts";
import { useUnreadDivider } from "./use-unread-divider.ts";
import type { OutboxEntry } from "../connection/outbox.ts";

type TimelineProps = { room: MyRoom; view: RoomView; messageId: string | null };

/** The messages of a room. It loads more at its ends and keeps the scroll position. */
export function Timeline({ room, view, messageId }: TimelineProps) {
  const pending = pendingIn(view, (entry) => isShownIn(room.id, entry));
  const mark = useReadMark(room, view);
  const line = useUnreadDivider(room, view, mark.isUnreadLoaded);
  const { hidden } = store.state.value.personal;
  const isFull = areRepliesFull.value;
  const { lines, replyGroups } = useMemo(() => {
    // A deleted root stays in the list for its replies.
    const messages = view.messages.filter(({ id, deleted_at }) => deleted_at || !hidden.has(id));
    return isFull ? { lines: messages } : groupReplies(messages, line.before?.id ?? null);
  }, [view.messages, hidden, line.before, isFull]) as Partial<GroupedReplies> &
    Pick<GroupedReplies, "lines">;
  const joins = useMemo(() => placeJoins(lines, view.joins), [lines, view.joins]);
  const place = useScrollPosition(
    room.id,
    { ...view, messages: lines },
    {
      sending: pending.length,
      start: messageId ? null : line.before,
      isCatchingUp: line.since !== null && !messageId && !view.hasAfter && !hasNewest(view, room),
      onLook(list, span, isScroll) {
        mark.look(list, isScroll);
        line.look(list, span);
      },
    },
  );
  const missedCount = place.atBottom ? 0 : mark.missed;

  /** Scrolls to the first message at or after a time, and loads it if necessary. */
  const goToTime = (at: string, block: Block = "start") =>
    store.sync.history.loadAt(room.id, at).then(
      (message) => message && place.goTo(message, block),
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
  const { news } = line;
  return (
    <div class="timeline-wrap flex grow relative">
      {news && (
        <UnreadBar
          since={news.since}
          count={news.count}
          onGo={() => {
            if (news.first) place.goTo(news.first, "unread");
            else void goToTime(news.since, "unread");
          }}
          onLatest={place.isEnd && place.atBottom ? null : place.toLatest}
          onRead={() => {
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
          shown[0] === lines[0] && (
            <>
              <RoomStart room={room} isEmpty={shown.length === 0} />
              <Joined run={joins.get(AT_START)} />
            </>
          )
        }
        firstUnread={line.before?.id}
        marked={messageId}
        replyGroups={replyGroups}
        joins={joins}
        pending={pending}
        onMore={more}
      />
      {!news && (missedCount > 0 || !place.isEnd) && (
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
  /** Shown above the first message of the room. */
  start: ComponentChildren;
  pending: OutboxEntry[];
  onMore(direction: "before" | "after"): () => void;
} & Omit<ComponentProps<typeof History>, "messages" | "tail">;

/** The messages of a conversation or a thread, in a scroll container. */
export function MessageList(props: ListProps) {
  const { view, place, shown, label, start, pending, onMore, ...history } = props;
  const last = shown.at(-1);
  const isGroupLast = last && (history.replyGroups?.has(last.id) || history.joins?.has(last.id));
  const tail = place.isEnd ? pendingOfLastGallery(pending, isGroupLast ? undefined : last) : [];
  return (
    <div
      ref={place.list}
      {...messageListHandlers}
      class="timeline"
      data-to={place.isEnd ? view.messages.at(-1)?.seq : undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
      tabIndex={0}
      role="log"
      aria-label={label}
      // Only the announcer announces new messages to screen readers.
      aria-live="off"
    >
      <ol>
        {start || (
          <LoadMoreRow {...place.ask} view={view} direction="before" onRetry={onMore("before")} />
        )}
        <History {...history} messages={shown} tail={tail} />
        {place.isEnd ? (
          <PendingRows entries={pending.slice(tail.length)} last={isGroupLast ? undefined : last} />
        ) : (
          <LoadMoreRow view={view} direction="after" onRetry={onMore("after")} />
        )}
      </ol>
    </div>
  );
}

/** Scrolls to the message in the address, once it is loaded. */
export function useMarked(
  place: ReturnType<typeof useScrollPosition>,
  { loaded, messages }: RoomView,
  id: string | null,
): void {
  const isMarkedLoaded = loaded && messages.some((message) => message.id === id);
  useEffect(() => {
    const message = messages.find((message) => message.id === id);
    if (message) place.goTo(message, "center");
  }, [id, isMarkedLoaded]);
}
