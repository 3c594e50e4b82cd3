import { CornerDownRight } from "lucide";
import { makeExcerpt } from "../../../src/wire/markdown/plain.ts";
import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { Icon } from "../parts/icon.tsx";
import { memo } from "../parts/memo.tsx";
import { nameOfThread } from "../session/person.tsx";
import { store } from "../session/store.ts";
import type { ReplyGroup } from "../state/timeline/reply-groups.ts";
import { isSameRoom } from "../state/model/model.ts";
import { threadPath } from "../state/route.ts";
import { mentionsMe } from "../state/model/unread.ts";
import { t, tRich } from "../words/translate.ts";
import { Clock, senderOf } from "./message-author.tsx";

type ReplyGroupProps = { room: MyRoom; group: ReplyGroup; first: boolean };

const MAX_NAMES = 3;
const EXCERPT = 120;

/**
 * Replies of one thread, shown in the room as one line. A click opens the thread at the first of
 * them.
 */
export const ReplyGroupRow = memo(
  function ReplyGroupRow({ room, group: { replies, to }, first }: ReplyGroupProps) {
    const [begin] = replies;
    const last = replies.at(-1) as Message;
    const { id, seq, thread_id } = begin;
    const count = replies.length;
    const title = titleOf(last);
    const names = [...new Set(replies.toReversed().map(senderOf))];
    const isForMe = replies.some((reply) => mentionsMe(store.me.value, reply));
    const i = (inner: unknown[]) => <i dir="auto">{inner as string[]}</i>;
    return (
      <li
        class={`fold flex ${isForMe ? "mentions-me" : ""}`}
        data-message-id={id}
        data-seq={seq}
        data-to={to}
        tabIndex={first ? 0 : -1}
      >
        <a
          class="grow row muted small"
          href={threadPath(room.name, thread_id ?? "", id)}
          tabIndex={-1}
        >
          <span class="visually-hidden">
            {t("thread.fold-label", { count, title, name: senderOf(last) })}
          </span>
          <Icon of={CornerDownRight} />
          <span class="truncate" aria-hidden="true">
            <b dir="auto">{names.slice(0, MAX_NAMES).map(shorten).join(", ")}</b>
            {" · "}
            {tRich("thread.fold", { count, title, i })}
            {" · "}
            <span dir="auto">
              {makeExcerpt(last.content, EXCERPT) ?? t(last.image ? "quote.image" : "quote.file")}
            </span>
          </span>
          <span class="at tiny rigid" aria-hidden="true">
            <Clock at={last.created_at} />
          </span>
        </a>
      </li>
    );
  },
  (a, b) =>
    a.first === b.first &&
    a.group.to === b.group.to &&
    a.group.replies.length === b.group.replies.length &&
    a.group.replies.every((reply, i) => reply === b.group.replies[i]) &&
    isSameRoom(a.room, b.room),
);

/** The first word of a name, because the line has little space. */
const shorten = (name: string) => name.trim().split(/\s+/)[0] ?? name;

/** The title of the thread, above a reply that the room shows in full. */
export function ReplyMark({ room, message }: { room: MyRoom; message: Message }) {
  return (
    <a
      class="reply-mark row muted tiny truncate"
      href={threadPath(room.name, message.thread_id ?? "", message.id)}
    >
      <Icon of={CornerDownRight} />
      <span class="truncate" dir="auto">
        {titleOf(message)}
      </span>
    </a>
  );
}

/** The title of a thread, above or in place of its replies. */
function titleOf({ root }: Message): string {
  return root ? nameOfThread(root) : t("thread.of", { name: "" });
}
