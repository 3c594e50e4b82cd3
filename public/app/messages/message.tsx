import { useComputed } from "@preact/signals";
import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { lateMessages, savedIds } from "../session/personal-signals.ts";
import { store } from "../session/store.ts";
import { openDialog } from "../session/overlay.ts";
import { getRest, quietRest, rest } from "../parts/load-rest.tsx";
import { longPress } from "../parts/long-press.ts";
import { memo } from "../parts/memo.tsx";
import { isSameRoom } from "../state/model/model.ts";
import { mentionsMe } from "../state/model/unread.ts";
import { Attachments } from "./attachments/attachments.tsx";
import { editing } from "../composer/editing.ts";
import { altOf, Byline, Sender, senderOf, Time } from "./message-author.tsx";
import { MessageBody } from "./message-body.tsx";
import { Reactions } from "./reactions.tsx";
import { focused, hovered, rowKey } from "./active-message.ts";
import { linksToMessages } from "./app-link.tsx";
import { ReplyMark } from "./reply-group-row.tsx";
import { LinkedMessages } from "./linked-messages.tsx";
import { PreviewCard } from "./preview-card.tsx";
import { QuoteCard } from "./quote-card.tsx";
import { Bookmark, CalendarClock, Pin, Check } from "lucide";
import { Icon } from "../parts/icon.tsx";
import { nameOf, Avatar, findUser } from "../session/person.tsx";
import { fullTimeOf, whenAhead } from "../parts/times.ts";
import { t } from "../words/translate.ts";
import { TimeAgo } from "../parts/time-ago.tsx";
import { threadPath } from "../state/route.ts";

const EditForm = rest("EditForm");
export const MessageTools = quietRest("MessageTools");

/** Opens the actions of a message on a touch screen. The focus returns to its row. */
export function openSheet(row: HTMLElement, { id, room_id }: Message, inThread?: string): void {
  row.focus({ preventScroll: true });
  openDialog({ name: "message", roomId: room_id, messageId: id, inThread });
}

type RowProps = {
  room: MyRoom;
  message: Message;
  head: boolean;
  marked: boolean;
  /** The row that Tab focuses. */
  first: boolean;
  /** Set if its picture is in the gallery below. */
  isText?: boolean;
  inThread?: string;
};

export const MessageRow = memo(function MessageRow(props: RowProps) {
  const { room, message, head, marked, first, isText, inThread } = props;
  const { id } = message;
  const key = rowKey(id, inThread);
  // Computed signals, so that only the affected rows rerender.
  const isEditing = useComputed(() => editing.value === key).value;
  const isActive = useComputed(() => hovered.value === key || focused.value === key).value;
  const hasMark = useComputed(() => savedIds.value.has(id) || lateMessages.value.has(id)).value;
  const isForMe = mentionsMe(store.me.value, message);
  const classes = ["message", head && "head", isForMe && "mentions-me"];
  return (
    <li
      class={classes.filter(Boolean).join(" ")}
      data-message-id={message.id}
      data-row={key}
      data-seq={message.seq}
      data-state="sent"
      aria-current={marked || undefined}
      tabIndex={first ? 0 : -1}
      {...longPress(
        (row) => openSheet(row, message, inThread),
        (event) => getRest()?.openMessageMenu(event, room, message, inThread),
      )}
    >
      {head ? <Sender message={message} /> : <Time message={message} gutter />}
      <div class="grow">
        {head && <Byline message={message} isActive={isActive} />}
        {!head && <span class="visually-hidden">{senderOf(message)}: </span>}
        {(message.pinned || hasMark) && <MessageMarks message={message} />}
        {message.thread_id && !inThread && <ReplyMark room={room} message={message} />}
        {message.quote && <QuoteCard room={room} quote={message.quote} inThread={inThread} />}
        {isEditing ? <EditForm message={message} /> : <MessageBody message={message} />}
        {!isText && <Attachments image={message.image} file={message.file} alt={altOf(message)} />}
        {message.preview && <PreviewCard preview={message.preview} />}
        {linksToMessages(message) && <LinkedMessages message={message} />}
        <Reactions message={message} disabled={room.is_archived} />
        {message.thread && !inThread && <ThreadStrip room={room} message={message} />}
      </div>
      {isActive && !isEditing && <MessageTools room={room} message={message} inThread={inThread} />}
    </li>
  );
}, isSameRow);

/** A room changes with every message, but the fields that a row shows rarely do. */
function isSameRow(a: RowProps, b: RowProps): boolean {
  return (
    a.message === b.message &&
    a.head === b.head &&
    a.marked === b.marked &&
    a.first === b.first &&
    a.isText === b.isText &&
    a.inThread === b.inThread &&
    isSameRoom(a.room, b.room)
  );
}

/** The marks of a message: a pin, which everyone sees, and those that only the reader sees. */
function MessageMarks({ message: { id, pinned } }: { message: Message }) {
  const isSaved = savedIds.value.has(id);
  const planned = lateMessages.value.get(id);
  return (
    <p class="marks wrap muted tiny">
      {pinned && (
        <span title={fullTimeOf(pinned.at)}>
          <Icon of={Pin} />
          {t("pin.who", { name: nameOf(pinned.by) })}
        </span>
      )}
      {isSaved && (
        <a class="reach" href="/later">
          <Icon of={Bookmark} />
          {t("later.mark")}
        </a>
      )}
      {planned && (
        <span>
          <Icon of={CalendarClock} />
          {t("scheduled.late", { when: whenAhead(new Date(planned)) })}
        </span>
      )}
    </p>
  );
}

const MAX_FACES = 3;

/** The summary of a thread below its root; a click opens the thread. */
function ThreadStrip({ room, message }: { room: MyRoom; message: Message }) {
  const { id, thread } = message;
  if (!thread) return null;
  const { title, reply_count: count, last_reply_at, author_ids, is_resolved } = thread;
  const faces = author_ids.slice(0, MAX_FACES).flatMap((author) => findUser(author) ?? []);
  return (
    <a class="thread-strip control outlined row" href={threadPath(room.name, id)}>
      <span class="thread-faces flex">
        {faces.map((user) => (
          <Avatar key={user.id} user={user} size={20} />
        ))}
      </span>
      {is_resolved && <Icon of={Check} />}
      {is_resolved && <span class="visually-hidden">{t("is-done")}</span>}
      {title && (
        <span class="truncate" dir="auto">
          {title}
        </span>
      )}
      <b>{t("thread.replies", { count })}</b>
      <span class="muted">
        <TimeAgo at={last_reply_at} />
      </span>
    </a>
  );
}
