import { store } from "../app.ts";
import type { OutboxEntry } from "../connection/outbox.ts";
import { Attachments } from "./attachments/attachments.tsx";
import type { Known } from "../parts/markdown/inlines.tsx";
import { Markdown } from "../parts/markdown/markdown.tsx";
import { Avatar, nameOf } from "../parts/person.tsx";
import { say } from "../words/say.ts";
import { tell } from "../words/tell.ts";

/** Whom it mentions is known once it is stored. */
const UNKNOWN: Known = { mention: () => null, room: () => null };

/** A message of mine that is not known to be stored. */
export function PendingRow({ entry }: { entry: OutboxEntry }) {
  const me = store.me.value;
  if (!me) return null;
  return (
    <li class="message head" data-state={entry.refused ? "failed" : "pending"}>
      <Avatar user={me} />
      <div class="grow">
        <p class="byline">
          <b class="truncate" dir="auto">
            {nameOf(me)}
          </b>
          <span class="muted small">
            {entry.refused ? say("message.not-sent") : say("message.sending")}
          </span>
        </p>
        {entry.content && (
          <div class="content">
            <Markdown text={entry.content} known={UNKNOWN} />
          </div>
        )}
        <Attachments
          image={entry.image ?? null}
          file={entry.file ?? null}
          alt={say("message.your-image")}
        />
        {entry.refused && (
          <p class="failed" role="alert">
            <span>{tell(entry.refused)}</span>
            <button type="button" class="link" onClick={() => store.retry(entry.client_id)}>
              {say("try-again")}
            </button>
            <button type="button" class="link" onClick={() => store.discard(entry.client_id)}>
              {say("message.discard")}
            </button>
          </p>
        )}
      </div>
    </li>
  );
}
