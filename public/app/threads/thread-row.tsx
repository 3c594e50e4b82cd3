import { Check } from "lucide";
import { makeExcerpt } from "../../../src/wire/markdown/plain.ts";
import type { ThreadItem } from "../../../src/wire/threads.ts";
import { senderOf } from "../messages/message-author.tsx";
import { Icon } from "../parts/icon.tsx";
import { Avatar } from "../session/person.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { UnreadBadge } from "../parts/unread-badge.tsx";
import { threadPath } from "../state/route.ts";
import { t } from "../words/translate.ts";

const EXCERPT = 200;

/** A thread in a list; it leads there. */
export function ThreadRow({ item: { root, room, unread_count } }: { item: ThreadItem }) {
  const { thread, author, content } = root;
  const excerpt = root.deleted_at ? t("message.was-deleted") : makeExcerpt(content, EXCERPT);
  const title = thread?.title ?? null;
  return (
    <a class={`thread-row ${unread_count > 0 ? "new" : ""}`} href={threadPath(room.name, root.id)}>
      <Avatar user={author} />
      <span class="grow">
        <span class="thread-about">
          <b class="truncate" dir="auto">
            {title ?? senderOf(root)}
          </b>
          <span class="muted small truncate" dir="auto">
            #{room.name}
          </span>
          {thread?.is_resolved && <Icon of={Check} />}
          {thread?.is_resolved && <span class="visually-hidden">{t("thread.is-done")}</span>}
        </span>
        <span class="muted excerpt" dir="auto">
          {title && excerpt ? `${senderOf(root)}: ${excerpt}` : (excerpt ?? t("quote.upload"))}
        </span>
        {thread && (
          <span class="small muted">
            {t("thread.replies", { count: thread.reply_count })} ·{" "}
            <TimeAgo at={thread.last_reply_at} />
          </span>
        )}
      </span>
      <UnreadBadge
        mentions={unread_count}
        isUnread={unread_count > 0}
        label={t("threads.new-replies", { count: unread_count })}
      />
    </a>
  );
}
