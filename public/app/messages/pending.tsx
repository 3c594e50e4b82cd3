import { Fragment } from "preact";
import type { Me, Message } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { isEmojiOnly } from "../parts/emoji/emoji-only.ts";
import { Attachments } from "./attachments/attachments.tsx";
import type { NameResolver } from "../parts/markdown/inlines.tsx";
import { Markdown } from "../parts/markdown/markdown.tsx";
import { Avatar, nameOf } from "../session/person.tsx";
import { dayKey } from "../parts/times.ts";
import { conversationById, roomByName } from "../state/model/model.ts";
import { roomPath } from "../state/route.ts";
import {
  asPicture,
  continuesGallery,
  pendingHeads,
  type Picture,
  splitGalleries,
} from "../state/timeline/timeline-rows.ts";
import { placeOf } from "./app-link.tsx";
import { PendingGallery } from "./gallery.tsx";
import { Clock } from "./message-author.tsx";
import { QuoteCard } from "./quote-card.tsx";
import { t } from "../words/translate.ts";
import { describeError } from "../words/describe-error.ts";
import { needsDecision, type OutboxEntry } from "../connection/outbox.ts";

/**
 * Resolves names as the service probably will, so that the width does not change once the message
 * is stored.
 */
export function pendingResolver(roomId: string): NameResolver {
  const view = store.state.peek().views[roomId];
  return {
    mention(username) {
      const isMember = view?.members?.some(({ user }) => user.username === username);
      const writes = view?.messages.some(({ author }) => author.username === username);
      return isMember || writes ? "someone" : null;
    },
    room: (name) => (roomByName(store.state.peek(), name) ? roomPath(name) : null),
    place: placeOf,
  };
}

type PendingRowsProps = {
  entries: OutboxEntry[];
  /** The newest stored message of the room. */
  last: Message | undefined;
};

/** The reader's unsent messages, grouped as they will be once they are stored. */
export function PendingRows({ entries, last }: PendingRowsProps) {
  const me = store.me.value;
  if (!me) return null;
  const lines = entries.map((entry) => ({ author: me, via: null, created_at: entry.written_at }));
  const heads = pendingHeads(lines, dayKey, last);
  const rows = entries.map((entry, i) => ({ entry, head: heads[i] === true }));
  const runs = splitGalleries(
    rows,
    ({ entry }) => asPendingPicture(entry, me.id),
    ({ head }) => head,
  );
  return runs.map((run) => {
    const [{ entry, head }] = run as [(typeof rows)[0], ...typeof rows];
    const isGallery = run.length > 1;
    return (
      <Fragment key={entry.client_id}>
        {(!isGallery || entry.content || head) && (
          <PendingRow entry={entry} head={head} me={me} isText={isGallery} />
        )}
        {isGallery && <PendingGallery entries={run.map((row) => row.entry)} />}
      </Fragment>
    );
  });
}

type PendingRowProps = { entry: OutboxEntry; head: boolean; me: Me; isText: boolean };

/** An unsent message, as high as the stored message that replaces it, so that nothing moves. */
function PendingRow({ entry, head, me, isText }: PendingRowProps) {
  const { content, image, file, quote, problem, is_refused } = entry;
  const room = conversationById(store.state.value, entry.room_id);
  const asks = needsDecision(entry);
  const sending = !asks && <span class="sending rounded muted tiny">{t("message.sending")}</span>;
  return (
    <li class={`message ${head ? "head" : ""}`} data-state={asks ? "failed" : "pending"}>
      {head ? (
        <Avatar user={me} />
      ) : (
        <span class="gutter tiny">
          <Clock at={entry.written_at} short />
        </span>
      )}
      <div class="grow">
        {head && (
          <p class="byline row">
            <span class="who">
              <b class="strong truncate" dir="auto">
                {nameOf(me)}
              </b>
            </span>
            <span class="at tiny">
              <Clock at={entry.written_at} />
            </span>
            {sending}
          </p>
        )}
        {quote && room && <QuoteCard room={room} quote={quote} />}
        {content && (
          <div class={`content ${isEmojiOnly(content) ? "only-emoji" : ""}`} dir="auto">
            <Markdown text={content} resolver={pendingResolver(entry.room_id)} />
          </div>
        )}
        {!isText && (
          <Attachments
            image={image ?? null}
            file={file ?? null}
            alt={image?.alt ?? t("message.your-image")}
          />
        )}
        {!head && sending}
        {asks && (
          <p class="failed danger row wrap small" role="alert">
            <b>{is_refused ? t("message.not-sent") : t("message.retrying")}</b>
            {problem && <span>{describeError(problem)}</span>}
            <button type="button" class="link" onClick={() => store.outbox?.retry(entry.client_id)}>
              {t("try-again")}
            </button>
            <button
              type="button"
              class="link"
              onClick={() => store.outbox?.entries.delete(entry.client_id)}
            >
              {t("message.discard")}
            </button>
          </p>
        )}
      </div>
    </li>
  );
}

/** The pending pictures that belong to the gallery of the newest stored message. */
export function pendingOfLastGallery(
  entries: OutboxEntry[],
  last: Message | undefined,
): OutboxEntry[] {
  const me = store.me.value?.id ?? "";
  const end = entries.findIndex((entry) => {
    const picture = asPendingPicture(entry, me);
    return !last || !picture || !continuesGallery(asPicture(last), picture);
  });
  return end === -1 ? entries : entries.slice(0, end);
}

/** A message that must be retried or discarded has its own row. */
function asPendingPicture(entry: OutboxEntry, author_id: string): Picture | null {
  const { content, image, file, group_id = null } = entry;
  return needsDecision(entry) ? null : { content, image, file, group_id, author_id };
}
