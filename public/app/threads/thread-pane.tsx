import { useEffect, useRef } from "preact/hooks";
import type { MyRoom } from "../../../src/wire/models.ts";
import { Composer } from "../composer/composer.tsx";
import { DropZone } from "../composer/drop-zone.tsx";
import { lightbox } from "../messages/attachments/lightbox-state.ts";
import { isEscape } from "../parts/escape.ts";
import { rest } from "../parts/load-rest.tsx";
import { Empty } from "../parts/empty.tsx";
import { Boundary } from "../session/boundary.tsx";
import { navigateTo } from "../session/navigation.ts";
import { store } from "../session/store.ts";
import { getThreads, keptUnread } from "../session/thread-actions.ts";
import { emptyView } from "../state/model/model.ts";
import { roomPath } from "../state/route.ts";
import { NotLoaded } from "../timeline/not-loaded.tsx";
import { ThreadHead } from "./thread-head.tsx";
import { ThreadTimeline } from "./thread-timeline.tsx";
import { t } from "../words/translate.ts";

const Lightbox = rest("Lightbox");

type PaneProps = { room: MyRoom; id: string; replyId: string | null };

/** A thread: beside its room, over it on a narrow page, a screen of its own on a phone. */
export function ThreadPane({ room, id, replyId }: PaneProps) {
  const view = store.state.value.views[id] ?? emptyView;
  const opener = useRef(
    document.activeElement?.matches("[data-message-id], .tools :focus-visible")
      ? document.activeElement.closest<HTMLElement>("[data-message-id]")
      : null,
  );
  useEffect(() => {
    const root = store.state.value.views[room.id]?.messages.find((message) => message.id === id);
    getThreads().open.open(id, room.id, replyId, root ?? null);
  }, [id, replyId]);
  useEffect(() => {
    keptUnread.value = null;
    return () => {
      getThreads().open.close();
      keptUnread.value = null;
    };
  }, [id]);
  const close = () => {
    const { current: row } = opener;
    navigateTo(roomPath(room.name));
    // On a phone the room is rendered only now; on a wide page it was beside the thread.
    setTimeout(() =>
      (row?.isConnected ? row : document.querySelector<HTMLElement>(".composer textarea"))?.focus({
        preventScroll: true,
      }),
    );
  };
  useEscape(close);
  const root = view.thread?.root ?? null;
  const { problem } = view;
  const isGone = view.loaded ? root === null : problem?.code === "message_not_found";
  return (
    <>
      <button
        type="button"
        class="sheet-scrim"
        aria-label={t("thread.close")}
        tabIndex={-1}
        onClick={close}
      />
      <DropZone
        roomId={room.id}
        threadId={id}
        label={t("thread.title")}
        disabled={room.is_archived}
      >
        <ThreadHead room={room} id={id} view={view} onClose={close} />
        {isGone ? (
          <Empty title={t("thread.gone")} text={t("thread.gone-text")} />
        ) : view.loaded && root ? (
          <Boundary>
            <ThreadTimeline room={room} view={view} root={root} replyId={replyId} />
          </Boundary>
        ) : (
          <NotLoaded
            room={room}
            view={view}
            pending={store.unsent.value.filter((entry) => entry.thread_id === id)}
            inThread={id}
            onRetry={() => void getThreads().open.history.load(id)}
          />
        )}
        {!room.is_archived && !isGone && <Composer room={room} thread={{ id, onEscape: close }} />}
        {lightbox.value && <Lightbox messages={root ? [root, ...view.messages] : []} />}
      </DropZone>
    </>
  );
}

/** Closes the pane with Esc, unless something in it has handled the key. */
function useEscape(close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isEscape(event) || !(event.target instanceof Element)) return;
      if (!event.target.closest(".thread-pane")) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}
