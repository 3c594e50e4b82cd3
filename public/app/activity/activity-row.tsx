import type { Activity } from "../../../src/wire/activity.ts";
import { toPlainText } from "../../../src/wire/markdown/plain.ts";
import type { Message } from "../../../src/wire/models.ts";
import { senderOf } from "../messages/message-author.tsx";
import { Avatar, nameOf } from "../session/person.tsx";
import { agoOf, fullTimeOf } from "../parts/times.ts";
import { UnreadBadge } from "../parts/unread-badge.tsx";
import { messagePath } from "../state/route.ts";
import { formatList, t, tRich } from "../words/translate.ts";

/** Up to this many names are listed; of more people only the first is named. */
const MAX_NAMED = 3;

/** An entry that leads to its message. */
export function ActivityRow({ item, isNew }: { item: Activity; isNew?: boolean }) {
  const { at, room, message, users } = item;
  const [first = message.author] = users;
  return (
    <a
      class={`activity-row ${isNew ? "new" : ""}`}
      href={messagePath(room, message)}
      data-type={item.type}
    >
      <Avatar user={first} />
      <span class="grow">
        <span class="what">{describe(item)}</span>
        <span class="muted excerpt" dir="auto">
          {excerptOf(message)}
        </span>
      </span>
      <time class="muted small" dateTime={at} data-tooltip={fullTimeOf(at)}>
        {agoOf(at)}
      </time>
      <UnreadBadge mentions={0} isUnread={isNew === true} />
    </a>
  );
}

function describe({ type, room, message, users, user_count, emojis }: Activity) {
  const b = (inner: unknown[]) => <b>{inner as string[]}</b>;
  if (type !== "mention") {
    const names = type === "reply" ? [senderOf(message)] : users.map(nameOf);
    const isShort = user_count <= (type === "reply" ? 1 : MAX_NAMED);
    const people = isShort
      ? formatList(names)
      : t("activity.and-others", { name: names[0] ?? "", count: user_count - 1 });
    if (type === "reply") return tRich("activity.replied", { who: people, room: room.name, b });
    return tRich("activity.reacted", { who: people, emojis: emojis.join(" "), room: room.name, b });
  }
  const sender = senderOf(message);
  if (!message.broadcast) return tRich("activity.mentioned", { who: sender, room: room.name, b });
  return message.broadcast === "room"
    ? tRich("activity.mentioned-all", { who: sender, room: room.name, b })
    : tRich("activity.mentioned-here", { who: sender, room: room.name, b });
}

function excerptOf({ content, image, file }: Message): string {
  if (content) return toPlainText(content);
  return file?.name ?? (image ? t("activity.image") : "");
}
