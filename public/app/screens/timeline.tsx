import { ArrowDown } from "lucide";
import { useEffect, useRef } from "preact/hooks";
import type { MyRoom } from "../../../src/wire/models.ts";
import { deletions, store } from "../app.ts";
import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { Icon } from "../parts/icon.tsx";
import { dayKey, dayName } from "../parts/times.ts";
import type { RoomView } from "../state/model.ts";
import { timeline } from "../state/timeline.ts";
import { MessageRow } from "./message.tsx";
import { PendingRow } from "./pending.tsx";
import { TimelineSkeleton } from "./timeline-skeleton.tsx";
import { useFirstUnread, useReadMark } from "./use-read-mark.ts";
import { useScroll } from "./use-scroll.ts";
import type { Trouble } from "../connection/api.ts";
import { say } from "../words/say.ts";
import { tell } from "../words/tell.ts";

type TimelineProps = { room: MyRoom; view: RoomView; messageId: string | null };

/** The history of a room: it loads upward, follows at the bottom, and keeps its place elsewhere. */
export function Timeline({ room, view, messageId }: TimelineProps) {
  const list = useRef<HTMLDivElement>(null);
  const pending = store.outbox.value.filter((entry) => entry.room_id === room.id);
  const scroll = useScroll(list, view, pending.length, {
    onTop: () => view.hasBefore && void store.sync.loadMore(room.id, "before"),
    onBottom: () => view.hasAfter && void store.sync.loadMore(room.id, "after"),
  });
  useReadMark(room, view, scroll.atBottom);
  const firstUnread = useFirstUnread(room, view);
  useMark(list, view, messageId);

  if (view.problem && !view.loaded) return <Failed room={room} problem={view.problem} />;
  if (!view.loaded) return <TimelineSkeleton />;
  const shown = view.messages.filter((message) => !deletions.hidden.value.has(message.id));
  const latest = () => {
    if (view.hasAfter) void store.sync.load(room.id).then(scroll.toBottom);
    else scroll.toBottom();
  };
  return (
    <div class="timeline-wrap">
      <div
        ref={list}
        class="timeline"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        role="log"
        aria-label={say("talk.messages", { room: room.name })}
        aria-live="polite"
      >
        <ol>
          {!view.hasBefore && <Start room={room} />}
          {timeline(shown, dayKey, firstUnread).map((row) =>
            row.kind === "message" ? (
              <MessageRow
                key={row.key}
                room={room}
                message={row.message}
                head={row.head}
                marked={row.message.id === messageId}
              />
            ) : (
              <li key={row.key} class={`divider ${row.kind}`}>
                {row.kind === "day" ? dayName(row.at) : say("talk.new")}
              </li>
            ),
          )}
          {pending.map((entry) => (
            <PendingRow key={entry.client_id} entry={entry} />
          ))}
        </ol>
      </div>
      {(scroll.missed > 0 || view.hasAfter) && (
        <div class="pill">
          <Button kind="primary" onClick={latest}>
            <Icon of={ArrowDown} />
            {scroll.missed > 0
              ? say("talk.count-new", { count: scroll.missed })
              : say("talk.to-latest")}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Brings the message of the address into view. */
function useMark(list: { current: HTMLElement | null }, view: RoomView, messageId: string | null) {
  const isThere = view.messages.some((message) => message.id === messageId);
  useEffect(() => {
    if (!messageId || !view.loaded || !isThere) return;
    list.current
      ?.querySelector(`[data-message-id="${CSS.escape(messageId)}"]`)
      ?.scrollIntoView({ block: "center" });
  }, [messageId, view.loaded, isThere]);
}

function Start({ room }: { room: MyRoom }) {
  return (
    <li class="start">
      <h2>#{room.name}</h2>
      <p class="muted" dir="auto">
        {room.description ?? say("talk.begin")}
      </p>
    </li>
  );
}

function Failed({ room, problem }: { room: MyRoom; problem: Trouble }) {
  return (
    <Empty title={say("talk.not-loaded")} text={tell(problem)}>
      <Button kind="primary" onClick={() => void store.sync.load(room.id)}>
        {say("try-again")}
      </Button>
    </Empty>
  );
}
