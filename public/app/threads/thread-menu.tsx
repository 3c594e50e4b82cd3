import { Bell, BellOff, Check, CheckCheck, Link, Pencil, Undo2 } from "lucide";
import type { MyRoom } from "../../../src/wire/models.ts";
import type { RowAction } from "../parts/list-row.tsx";
import type { MenuItem } from "../parts/menu.tsx";
import { MenuList } from "../parts/menu-list.tsx";
import type { Anchor } from "../parts/use-popover.ts";
import { copyText } from "../session/copy-text.ts";
import { store } from "../session/store.ts";
import { reportOutcome } from "../session/toasts.ts";
import { type Follow, isUnread } from "../state/model/follows.ts";
import { isAuthor, type RoomView } from "../state/model/model.ts";
import { threadPath } from "../state/route.ts";
import { t } from "../words/translate.ts";
import { MAX_THREAD_TITLE_LENGTH } from "../../../src/wire/limits.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useForm } from "../parts/use-action.ts";
import { changeThread, markThreadDone, markThreadRead } from "../session/thread-actions.ts";

type ThreadMenuProps = {
  room: MyRoom;
  id: string;
  thread: RoomView["thread"];
  /** Opens the dialog of the title; absent where the thread cannot be changed. */
  onName: (() => void) | undefined;
  /** Whether the menu marks the thread as done: on a phone, whose header has no space for it. */
  hasDone: boolean;
  anchor: Anchor | null;
  onClose(): void;
};

export function ThreadMenu(props: ThreadMenuProps) {
  const { room, id, thread, onName, hasDone, anchor, onClose } = props;
  const { root = null } = thread ?? {};
  const isDone = root?.thread?.is_resolved === true;
  const isModerator = room.membership?.role !== "member";
  const mayName = root !== null && (isModerator || isAuthor(store.me.value, root));
  const items = [linkItem(room, id)];
  if (onName && mayName) items.unshift({ icon: Pencil, label: t("thread.name"), onSelect: onName });
  if (hasDone) items.unshift(doneItem(id, isDone));
  if (root?.thread) items.unshift(followAction(id, store.state.value.threads?.[id] !== undefined));
  return <MenuList label={t("thread.actions")} items={items} anchor={anchor} onClose={onClose} />;
}

/** The actions on a thread that the reader follows, where only its title is shown. */
export function followedItems(room: MyRoom, id: string, follow: Follow): MenuItem[] {
  const readItem: MenuItem = {
    icon: CheckCheck,
    label: t("action.mark-read"),
    onSelect: () => markThreadRead(id, follow.last_reply_seq),
  };
  return [
    ...(isUnread(follow) ? [readItem] : []),
    followAction(id, true),
    ...(room.is_archived ? [] : [doneItem(id, follow.is_resolved)]),
    linkItem(room, id),
  ];
}

const linkItem = (room: MyRoom, id: string): MenuItem => ({
  icon: Link,
  label: t("message.copy-link"),
  onSelect: () => copyText(location.origin + threadPath(room.name, id), t("message.link-copied")),
});

const doneItem = (id: string, isDone: boolean): MenuItem => ({
  icon: isDone ? Undo2 : Check,
  label: t(isDone ? "thread.reopen" : "action.mark-done"),
  onSelect: () => void markThreadDone(id, !isDone),
});

/** Follows a thread, or no longer. */
export function followAction(id: string, isFollowing: boolean): RowAction {
  const input = { params: { id }, body: { is_following: !isFollowing } };
  return {
    icon: isFollowing ? BellOff : Bell,
    label: t(isFollowing ? "thread.unfollow" : "thread.follow"),
    onSelect: () =>
      reportOutcome(store.call("PUT /api/messages/:id/thread/follow", input), () =>
        t(isFollowing ? "thread.unfollowed" : "thread.followed"),
      ),
  };
}

type TitleProps = { id: string; title: string; onClose(): void };

export function TitleDialog({ id, title, onClose }: TitleProps) {
  const { values, action, field } = useForm({ title });
  const submit = async () => {
    await changeThread(id, { title: values.title.trim() || null });
    onClose();
  };
  return (
    <Dialog title={t("thread.name")} onClose={onClose}>
      <Form action={action} submit={t("save")} onCancel={onClose} onSubmit={submit}>
        <Field
          label={t("thread.name-label")}
          hint={t("thread.name-hint")}
          {...field("title")}
          maxLength={MAX_THREAD_TITLE_LENGTH}
          autocomplete="off"
          autofocus
        />
      </Form>
    </Dialog>
  );
}
