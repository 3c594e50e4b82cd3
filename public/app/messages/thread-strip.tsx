import { Check } from "lucide";
import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { Icon } from "../parts/icon.tsx";
import { Avatar, findUser } from "../session/person.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { threadPath } from "../state/route.ts";
import { t } from "../words/translate.ts";

const MAX_FACES = 3;

/** The summary of a thread below its root; a click opens the thread. */
export function ThreadStrip({ room, message }: { room: MyRoom; message: Message }) {
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
