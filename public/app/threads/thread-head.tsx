import { ArrowLeft, Check, Ellipsis, X } from "lucide";
import { useState } from "preact/hooks";
import type { MyRoom } from "../../../src/wire/models.ts";
import { Button, IconButton } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { MenuButton } from "../parts/menu.tsx";
import { quietRest, rest } from "../parts/load-rest.tsx";
import { RoomName } from "../parts/room-icon.tsx";
import { PHONE, useMedia } from "../parts/use-media.ts";
import { markThreadDone } from "../session/thread-actions.ts";
import type { RoomView } from "../state/model/model.ts";
import { t } from "../words/translate.ts";

const ThreadMenu = quietRest("ThreadMenu");
const TitleDialog = rest("TitleDialog");

type HeadProps = { room: MyRoom; id: string; view: RoomView; onClose(): void };

export function ThreadHead({ room, id, view, onClose }: HeadProps) {
  const [isNaming, setNaming] = useState(false);
  const isPhone = useMedia(PHONE);
  const root = view.thread?.root ?? null;
  const thread = root?.thread ?? null;
  const mayChange = !room.is_archived && thread !== null && !root?.deleted_at;
  const isDone = thread?.is_resolved === true;
  return (
    <header class="pane-head border-bottom">
      {isPhone && <IconButton icon={ArrowLeft} label={t("shell.back")} onClick={onClose} />}
      <div class="titles grow">
        <h2 class="truncate" dir="auto" title={thread?.title ?? undefined}>
          {thread?.title ?? t("thread.title")}
        </h2>
        <p class="muted small truncate" dir="auto">
          {isDone && `${t("is-done")} · `}
          <RoomName room={room} name={room.name} />
        </p>
      </div>
      {mayChange && !isPhone && (
        <Button
          kind="bare"
          label={isDone ? undefined : t("action.mark-done")}
          onClick={() => void markThreadDone(id, !isDone)}
        >
          {!isDone && <Icon of={Check} />}
          {t(isDone ? "thread.reopen" : "is-done")}
        </Button>
      )}
      <MenuButton
        icon={Ellipsis}
        label={t("thread.actions")}
        list={(anchor, onClose) => (
          <ThreadMenu
            room={room}
            id={id}
            thread={view.thread}
            onName={mayChange ? () => setNaming(true) : undefined}
            hasDone={mayChange && isPhone}
            anchor={anchor}
            onClose={onClose}
          />
        )}
      />
      {!isPhone && <IconButton icon={X} label={t("thread.close")} onClick={onClose} />}
      {isNaming && (
        <TitleDialog id={id} title={thread?.title ?? ""} onClose={() => setNaming(false)} />
      )}
    </header>
  );
}
