import { useEffect, useMemo, useState } from "preact/hooks";
import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { MessageRow } from "../messages/message.tsx";
import { dayKey } from "../parts/times.ts";
import { pendingIn } from "../session/replies.ts";
import { store } from "../session/store.ts";
import { markThreadRead } from "../session/thread-actions.ts";
import { isAuthor, type RoomView } from "../state/model/model.ts";
import { LatestButton } from "../timeline/jump-buttons.tsx";
import { MessageList, useMarked } from "../timeline/timeline.tsx";
import { topOf, visibleRange } from "../timeline/scroll-anchor.ts";
import { useScrollPosition } from "../timeline/use-scroll-position.ts";
import { t } from "../words/translate.ts";
import { ChevronDown, ChevronRight } from "lucide";
import { makeExcerpt } from "../../../src/wire/markdown/plain.ts";
import { Attachments } from "../messages/attachments/attachments.tsx";
import { altOf, senderOf } from "../messages/message-author.tsx";
import { MessageBody } from "../messages/message-body.tsx";
import { Icon } from "../parts/icon.tsx";

type TimelineProps = { room: MyRoom; view: RoomView; root: Message; replyId: string | null };

/**
 * The root of a thread and its replies. It loads more at its ends, and marks visible replies as
 * read.
 */
export function ThreadTimeline({ room, view, root, replyId }: TimelineProps) {
  const { id } = root;
  const { history } = store.thread;
  const pending = pendingIn(view, (entry) => entry.thread_id === id);
  const first = useFirstUnread(view);
  const [isRootHidden, setRootHidden] = useState(false);
  const place = useScrollPosition(id, view, {
    sending: pending.length,
    start: replyId ? null : first,
    isCatchingUp: !replyId && !view.hasAfter && lacksReplies(view),
    history,
    onLook(list) {
      const row = list.querySelector<HTMLElement>(`[data-message-id="${id}"]`);
      setRootHidden(!row || topOf(list, row) < 0);
      const onScreen = document.hasFocus() ? visibleRange(list) : null;
      if (onScreen && view.messages.length > 0) markThreadRead(id, onScreen.to);
    },
  });
  useMarked(place, view, replyId);
  const { hidden } = store.state.value.personal;
  const messages = place.shown.filter((message) => !hidden.has(message.id));
  const isStart = !view.hasBefore && place.shown[0] === view.messages[0];
  const more = (direction: "before" | "after") => () => void history.loadMore(id, direction);
  const count = root.thread?.reply_count ?? 0;
  return (
    <div class="timeline-wrap flex grow relative">
      {isRootHidden && <RootBar root={root} />}
      <MessageList
        room={room}
        view={view}
        place={place}
        shown={messages}
        label={t("thread.messages")}
        start={
          isStart && (
            <>
              <MessageRow
                room={room}
                message={root}
                head
                marked={replyId === id}
                first={messages.length === 0}
                inThread={id}
              />
              <li class="divider row gap-12 muted tiny strong">
                {count > 0 ? t("thread.replies", { count }) : t("thread.none")}
              </li>
            </>
          )
        }
        firstUnread={first?.id}
        marked={replyId}
        inThread={id}
        hiddenDay={dayKey(root.created_at)}
        pending={pending}
        onMore={more}
      />
      {!(place.isEnd && place.atBottom) && <LatestButton missed={0} onGo={place.toLatest} />}
    </div>
  );
}

/** Whether replies that the list of threads has included are still arriving. */
function lacksReplies({ thread, messages }: RoomView): boolean {
  const follow = store.state.value.threads?.[thread?.id ?? ""];
  return follow !== undefined && follow.last_reply_seq > (messages.at(-1)?.seq ?? 0);
}

/**
 * The reply below the "New" divider: the first unread reply when the thread was opened, or the one
 * from which it was marked unread since.
 */
function useFirstUnread({ thread, messages, hasBefore }: RoomView): Message | null {
  const readSeq = store.state.value.threads?.[thread?.id ?? ""]?.read_seq ?? null;
  const [since, setSince] = useState(readSeq);
  useEffect(() => {
    if (readSeq !== null && (since === null || readSeq < since)) setSince(readSeq);
  }, [readSeq]);
  return useMemo(() => {
    if (since === null) return null;
    const me = store.me.value;
    const at = messages.findIndex(({ seq }) => seq > since);
    // If the replies before it are not loaded, an earlier one may be the first unread reply.
    if (at === -1 || (at === 0 && hasBefore)) return null;
    return messages.slice(at).find((message) => !isAuthor(me, message)) ?? null;
  }, [since, messages, hasBefore]);
}

const EXCERPT = 120;

/** The first message of a thread that is scrolled out of sight: one line, or all of it after a click. */
function RootBar({ root }: { root: Message }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="root-bar border-bottom absolute surface scroll">
      <button
        type="button"
        class="row full small sticky surface"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon of={isOpen ? ChevronDown : ChevronRight} />
        <b class="truncate strong" dir="auto">
          {senderOf(root)}
        </b>
        {!isOpen && (
          <span class="grow truncate muted" dir="auto">
            {describe(root)}
          </span>
        )}
      </button>
      {isOpen && (
        <>
          <MessageBody message={root} />
          <Attachments image={root.image} file={root.file} alt={altOf(root)} />
        </>
      )}
    </div>
  );
}

function describe({ content, image, deleted_at }: Message): string {
  if (deleted_at) return t("message.was-deleted");
  return makeExcerpt(content, EXCERPT) ?? t(image ? "quote.image" : "quote.file");
}
