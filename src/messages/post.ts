import type { SqlClient } from "../database/connect.ts";
import type { Feed } from "../feed/feed.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { RoomEvent } from "../wire/events.ts";
import { extractReferences } from "../wire/markdown/extract.ts";
import type { Message } from "../wire/models.ts";
import type { PostMessage } from "../wire/requests.ts";
import { Batch } from "../platform/batch.ts";
import { checkContent } from "./content.ts";
import { type EmbedRow, findEmbeds } from "./embeds.ts";
import { insertMessages, type Posted } from "./insert.ts";
import { toMessage } from "./read.ts";
import type { Draft, Via } from "./statement-parts.ts";

export type Poster = {
  /**
   * Posts a message; resolves once it is durable.
   * @param via an incoming webhook, which posts whatever its author may do there
   * @returns the message as its author sees it, and whether it is new or was posted before with
   * the same `client_id`
   * @throws Refusal `empty_message`, `validation`, `unknown_upload`, `room_not_found`,
   * `not_a_member`, `room_archived`, `client_id_used`, `unavailable` past what can be absorbed
   */
  post(
    authorId: string,
    roomId: string,
    given: PostMessage,
    via?: Via,
  ): Promise<{ message: Message; isNew: boolean }>;
  /** Resolves when nothing waits to be written. */
  idle(): Promise<void>;
};

/** A message with what it embeds, as its author may see it. */
type Answered = Posted & { embeds: EmbedRow | undefined };

/** So many that wait are worth a second write beside the first. */
const CROWD = 256;

/** Bursts are absorbed up to here: about a second of what can be written. */
const BOUNDS = { maxItems: 20_000, maxBytes: 64 * 1024 * 1024 };
/** A draft without its text, and what waits for it. */
const DRAFT_BYTES = 1_000;

function sizeOfDraft({ content }: Draft): number {
  return DRAFT_BYTES + 2 * (content?.length ?? 0);
}

/**
 * The write path: all posts of this instance, over REST and the socket, go through one batch.
 * @param bounds of what may wait, in messages and bytes
 * @param onPosted told of new messages once they are durable and those who are here have heard them
 */
export function createPoster(
  sql: SqlClient,
  instance: string,
  feed: Pick<Feed, "publish">,
  metrics: Pick<Metrics, "acceptSeconds" | "batchSize">,
  onPosted: (messageIds: string[]) => void,
  bounds = BOUNDS,
): Poster {
  const write = async (drafts: Draft[], isApart: boolean): Promise<(Answered | Error)[]> => {
    metrics.batchSize.observe(drafts.length);
    const results = await withEmbeds(sql, await insertMessages(sql, instance, drafts, isApart));
    const events = results.flatMap((result) =>
      result instanceof Error || !result.isNew ? [] : toEvent(result),
    );
    // After the promises of this batch have settled: the author hears `ack` before the envelope.
    if (events.length > 0) {
      setImmediate(() => {
        feed.publish(events);
        onPosted(events.map(({ message }) => message.id));
      });
    }
    return results;
  };
  const batch = new Batch(write, {
    crowd: CROWD,
    keyOf: (draft: Draft) => draft.roomId,
    ...bounds,
    sizeOf: sizeOfDraft,
  });
  return {
    async post(authorId, roomId, given, via) {
      const started = performance.now();
      const { row, isNew, embeds } = await batch.add(toDraft(authorId, roomId, given, via ?? null));
      metrics.acceptSeconds.observe((performance.now() - started) / 1_000);
      return { message: toMessage(row, authorId, embeds), isNew };
    },
    idle: () => batch.idle(),
  };
}

/** @throws Refusal `empty_message`, `validation` */
function toDraft(authorId: string, roomId: string, given: PostMessage, via: Via | null): Draft {
  const imageId = given.image_id ?? null;
  const fileId = given.file_id ?? null;
  const content = checkContent(given.content, imageId !== null || fileId !== null);
  const { usernames, rooms, url } = extractReferences(content);
  return {
    id: Bun.randomUUIDv7(),
    roomId,
    authorId,
    content,
    clientId: given.client_id?.toLowerCase() ?? null,
    imageId,
    fileId,
    usernames,
    rooms,
    previewUrl: url,
    via,
  };
}

/** Messages that embed nothing, which are most, cost no further query. */
async function withEmbeds(
  sql: SqlClient,
  results: (Posted | Error)[],
): Promise<(Answered | Error)[]> {
  const rows = results.flatMap((result) => (result instanceof Error ? [] : result.row));
  const found = await findEmbeds(sql, rows, (row) => row.author_id);
  return results.map((result) =>
    result instanceof Error ? result : { ...result, embeds: found.get(result.row.id) },
  );
}

function toEvent({ row, embeds }: Answered) {
  const { room_id, seq } = row;
  const message = toMessage(row, null, embeds);
  return { type: "message", room_id, seq, message } as const satisfies RoomEvent;
}
