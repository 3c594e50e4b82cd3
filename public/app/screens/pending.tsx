import { store } from "../app.ts";
import type { OutboxEntry } from "../connection/outbox.ts";
import { Attachments } from "./attachments/attachments.tsx";
import { Avatar, nameOf } from "../parts/person.tsx";

/** A message of mine that is not known to be stored. */
export function PendingRow({ entry }: { entry: OutboxEntry }) {
  const me = store.me.value;
  if (!me) return null;
  return (
    <li class="message head" data-state={entry.refused ? "failed" : "pending"}>
      <Avatar user={me} />
      <div class="grow">
        <p class="byline">
          <b class="truncate">{nameOf(me)}</b>
          <span class="muted small">{entry.refused ? "not sent" : "sending…"}</span>
        </p>
        {entry.content && <div class="content">{entry.content}</div>}
        <Attachments image={entry.image ?? null} file={entry.file ?? null} alt="your image" />
        {entry.refused && (
          <p class="failed" role="alert">
            <span>{entry.refused}</span>
            <button type="button" class="link" onClick={() => store.retry(entry.client_id)}>
              Try again
            </button>
            <button type="button" class="link" onClick={() => store.discard(entry.client_id)}>
              Discard
            </button>
          </p>
        )}
      </div>
    </li>
  );
}
