import { useEffect, useState } from "preact/hooks";
import type { Message } from "../../../src/wire/models.ts";
import { ApiError } from "../connection/api.ts";
import { Avatar } from "../session/person.tsx";
import { fullTimeOf, formatWhen } from "../parts/times.ts";
import { store } from "../session/store.ts";
import { quoteOf } from "../state/model/message-list.ts";
import { roomByName } from "../state/model/model.ts";
import { parseRoute } from "../state/route.ts";
import { senderOf } from "./message-author.tsx";
import { describeQuote } from "./quote-card.tsx";
import { t } from "../words/translate.ts";

/** How many links get a card; further ones are only links. */
const MAX_CARDS = 3;

/** A message that a text links to: its id, its address, and what its room or conversation is called. */
type Target = { id: string; path: string; place: string };

/** Cards of the messages in other rooms that a message links to, as the reader may see them. */
export function LinkedMessages({ message }: { message: Message }) {
  return findTargets(message).map((target) => <LinkedMessage key={target.id} target={target} />);
}

function findTargets({ content, room_id }: Message): Target[] {
  const urls = (content ?? "").match(/https?:\/\/[^\s<>()]+/g) ?? [];
  const targets = new Map<string, Target>();
  for (const url of urls) {
    const { origin, pathname } = URL.canParse(url) ? new URL(url) : { origin: "", pathname: "" };
    const here = origin === location.origin ? parseRoute(pathname) : null;
    if (here?.name !== "room") continue;
    const id = here.messageId ?? here.threadId;
    const room = roomByName(store.state.peek(), here.room);
    // Only messages in my other rooms: in the same room the link is enough.
    if (id && room && room.id !== room_id)
      targets.set(id, { id, path: pathname, place: `#${room.name}` });
  }
  return [...targets.values()].slice(0, MAX_CARDS);
}

const isMissing = (error: unknown) => error instanceof ApiError && error.status === 404;

/** A linked message. Its height is the same before and after it has loaded. */
function LinkedMessage({ target: { id, path, place } }: { target: Target }) {
  const [linked, setLinked] = useState<Message | "missing" | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void store.call("GET /api/messages/:id", { params: { id } }).then(
      (message) => isCurrent && setLinked(message),
      // If it cannot be loaded, the reserved space stays empty.
      (error: unknown) => isCurrent && isMissing(error) && setLinked("missing"),
    );
    return () => {
      isCurrent = false;
    };
  }, [id]);
  if (linked === null) return <span class="quote-card linked outlined" aria-busy="true" />;
  const isGone = linked === "missing" || linked.deleted_at !== null;
  if (isGone) {
    return (
      <span class="quote-card linked outlined">
        <span class="muted">{t("quote.gone")}</span>
      </span>
    );
  }
  return (
    <a class="quote-card linked outlined" href={path}>
      <span class="linked-head row">
        <Avatar user={linked.author} size={20} />
        <b class="truncate" dir="auto">
          {senderOf(linked)}
        </b>
        <span class="muted small truncate">{place}</span>
        <time
          class="muted small truncate"
          dateTime={linked.created_at}
          title={fullTimeOf(linked.created_at)}
        >
          {formatWhen(linked.created_at)}
        </time>
      </span>
      <span class="truncate muted" dir="auto">
        {describeQuote(quoteOf(linked))}
      </span>
    </a>
  );
}
