import { MessageSquareText } from "lucide";
import { useEffect, useRef } from "preact/hooks";
import type { MyRoom } from "../../../src/wire/models.ts";
import { Composer } from "../composer/composer.tsx";
import { DropZone } from "../composer/drop-zone.tsx";
import { lightbox } from "../messages/attachments/image.tsx";
import { useEscape } from "../parts/escape.ts";
import { rest } from "../parts/load-rest.tsx";
import { PHONE, useMedia } from "../parts/use-media.ts";
import { Empty } from "../parts/empty.tsx";
import { Boundary } from "../session/boundary.tsx";
import { leaveTo } from "../session/navigation.ts";
import { pendingIn } from "../session/replies.ts";
import { store } from "../session/store.ts";
import { markedUnreadThread } from "../session/thread-actions.ts";
import { emptyView } from "../state/model/model.ts";
import { roomPath } from "../state/route.ts";
import { NotLoaded } from "../timeline/not-loaded.tsx";
import { ThreadHead } from "./thread-head.tsx";
import { ThreadTimeline } from "./thread-timeline.tsx";
import { t } from "../words/translate.ts";

const Lightbox = rest("Lightbox");

type PaneProps = { room: MyRoom; id: string; replyId: string | null };

/** A thread: beside its room, above it on a narrow page, or on its own screen on a phone. */
export function ThreadPane({ room, id, replyId }: PaneProps) {
  const view = store.state.value.views[id] ?? emptyView;
  const opener = useRef(
    document.activeElement?.matches("[data-message-id], .tools :focus-visible")
      ? document.activeElement.closest<HTMLElement>("[data-message-id]")
      : null,
  );
  useEffect(() => {
    const root = store.state.value.views[room.id]?.messages.find((message) => message.id === id);
    store.thread.open(id, room.id, replyId, root ?? null);
  }, [id, replyId]);
  useEffect(() => {
    markedUnreadThread.value = null;
    return () => {
      store.thread.close();
      markedUnreadThread.value = null;
    };
  }, [id]);
  const isPhone = useMedia(PHONE);
  const close = async () => {
    const { current: row } = opener;
    const path = roomPath(room.name);
    // A wide page keeps the room beside the thread.
    await leaveTo(isPhone ? null : path, path);
    // On a phone the room is rendered only now, and a focused composer would show the keyboard.
    const target = isPhone ? `[data-message-id="${id}"]` : ".composer textarea";
    setTimeout(() =>
      (row?.isConnected ? row : document.querySelector<HTMLElement>(target))?.focus({
        preventScroll: true,
      }),
    );
  };
  useEscape(
    (target) => target instanceof Element && target.closest(".thread-pane") !== null,
    close,
  );
  const root = view.thread?.root ?? null;
  const { problem } = view;
  const isGone = view.loaded ? root === null : problem?.code === "message_not_found";
  return (
    <DropZone roomId={room.id} threadId={id} label={t("thread.title")} disabled={room.is_archived}>
      <ThreadHead room={room} id={id} view={view} onClose={close} />
      {isGone ? (
        <Empty icon={MessageSquareText} title={t("thread.gone")} text={t("thread.gone-text")} />
      ) : view.loaded && root ? (
        <Boundary>
          <ThreadTimeline room={room} view={view} root={root} replyId={replyId} />
        </Boundary>
      ) : (
        <NotLoaded
          room={room}
          view={view}
          pending={pendingIn(view, (entry) => entry.thread_id === id)}
          inThread={id}
          onRetry={() => void store.thread.history.load(id)}
        />
      )}
      {!room.is_archived && !isGone && <Composer room={room} thread={{ id, onEscape: close }} />}
      {lightbox.value && <Lightbox messages={root ? [root, ...view.messages] : []} />}
    </DropZone>
  );
}
