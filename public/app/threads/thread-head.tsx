import { ArrowLeft, Bell, BellOff, Check, Ellipsis, Link, Pencil, X } from "lucide";
import { useState } from "preact/hooks";
import type { MyRoom } from "../../../src/wire/models.ts";
import { IconButton } from "../parts/button.tsx";
import { Menu, type MenuItem } from "../parts/menu.tsx";
import { rest } from "../parts/load-rest.tsx";
import { PHONE, useMedia } from "../parts/use-media.ts";
import { copyText } from "../session/copy-text.ts";
import { store } from "../session/store.ts";
import { reportOutcome } from "../session/toasts.ts";
import { markThreadDone } from "../session/thread-actions.ts";
import { type RoomView, isAuthor } from "../state/model/model.ts";
import { threadPath } from "../state/route.ts";
import { t } from "../words/translate.ts";

const TitleDialog = rest("TitleDialog");

type HeadProps = { room: MyRoom; id: string; view: RoomView; onClose(): void };

/** The title of a thread, and its menu. */
export function ThreadHead({ room, id, view, onClose }: HeadProps) {
  const [isNaming, setNaming] = useState(false);
  const isPhone = useMedia(PHONE);
  const { root = null, isFollowing = false } = view.thread ?? {};
  const thread = root?.thread ?? null;
  const mayChange = !room.is_archived && thread !== null && !root?.deleted_at;
  const isOver = room.membership?.role !== "member";
  const mayName = mayChange && root && (isOver || isAuthor(store.me.value, root));
  const isDone = thread?.is_resolved === true;
  const items: MenuItem[] = [
    ...(mayName
      ? [{ icon: Pencil, label: t("thread.name"), onSelect: () => setNaming(true) }]
      : []),
    {
      icon: Link,
      label: t("message.copy-link"),
      onSelect: () =>
        copyText(location.origin + threadPath(room.name, id), t("message.link-copied")),
    },
  ];
  return (
    <header class="pane-head">
      {isPhone && <IconButton icon={ArrowLeft} label={t("thread.back")} onClick={onClose} />}
      <div class="titles">
        <h2 class="truncate" dir="auto" title={thread?.title ?? undefined}>
          {thread?.title ?? t("thread.title")}
        </h2>
        <p class="muted small truncate" dir="auto">
          {isDone ? `${t("thread.is-done")} · #${room.name}` : `#${room.name}`}
        </p>
      </div>
      {mayChange && (
        <IconButton
          icon={Check}
          label={isDone ? t("thread.reopen") : t("thread.done")}
          pressed={isDone}
          onClick={() => void markThreadDone(id, !isDone)}
        />
      )}
      {thread && (
        <IconButton
          icon={isFollowing ? Bell : BellOff}
          label={isFollowing ? t("thread.unfollow") : t("thread.follow")}
          pressed={isFollowing}
          onClick={() =>
            reportOutcome(follow(id, !isFollowing), () =>
              t(isFollowing ? "thread.unfollowed" : "thread.followed"),
            )
          }
        />
      )}
      <Menu icon={Ellipsis} label={t("thread.actions")} items={items} />
      {!isPhone && <IconButton icon={X} label={t("thread.close")} onClick={onClose} />}
      {isNaming && (
        <TitleDialog id={id} title={thread?.title ?? ""} onClose={() => setNaming(false)} />
      )}
    </header>
  );
}

async function follow(id: string, is_following: boolean): Promise<void> {
  const input = { params: { id }, body: { is_following } };
  await store.call("PUT /api/messages/:id/thread/follow", input);
}
