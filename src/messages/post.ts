import type { SqlClient } from "../database/connect.ts";
import type { Feed } from "../feed/feed.ts";
import type { Peers } from "../feed/peers.ts";
import { Batch } from "../platform/batch.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { Message, Thread } from "../wire/models.ts";
import type { PostMessage } from "../wire/requests.ts";
import { type Author, createDraft, type Draft, estimateDraftBytes, type Via } from "./draft.ts";
import { addPrivateParts, readEmbedsById, rootThreadOf, toSharedMessage } from "./read.ts";
import { writeDrafts } from "./write.ts";

/** A message as its author sees it; `isNew` is false if it was posted before with its `client_id`. */
export type Posted = { message: Message; isNew: boolean };

/** A new message as everyone in its room may see it, with the thread that it is a reply in. */
type Created = { message: Message; root_thread?: Thread | null };

export type Poster = {
  /**
   * Posts a message; resolves once it is durable.
   * @param via an incoming webhook, which posts whatever its author may do there
   * @throws Refusal `empty_message`, `validation`, `unknown_upload`, `room_not_found`,
   * `not_a_member`, `room_archived`, `threads_off`, `unknown_thread`, `unknown_quote`, `client_id_used`, `broadcast_restricted`, `unauthenticated`,
   * `invalid_token`, `unavailable` past what can be absorbed
   */
  post(author: Author, roomId: string, body: PostMessage, via?: Via): Promise<Posted>;
  /** Resolves when nothing waits to be written. */
  idle(): Promise<void>;
};

/** Drafts that have to wait before a second write starts beside the first. */
const SECOND_WRITE_AT = 256;

/** Bursts are absorbed up to here: about a second of what can be written. */
const LIMITS = { maxItems: 20_000, maxBytes: 64 * 1024 * 1024 };

/**
 * The write path: all posts of this instance, over REST and the socket, go through one batch.
 * @param limits of what may wait, in messages and bytes
 * @param onPosted called with new messages once they are durable and published here
 */
export function createPoster(
  sql: SqlClient,
  peers: Pick<Peers, "instance" | "areThere">,
  feed: Pick<Feed, "publish">,
  metrics: Pick<Metrics, "acceptSeconds" | "batchSize">,
  onPosted: (messages: Message[]) => void,
  limits = LIMITS,
): Poster {
  /** Writes a batch and publishes its new messages. Those that embed nothing cost no more queries. */
  const write = async (drafts: Draft[], waits: boolean): Promise<(Posted | Error)[]> => {
    metrics.batchSize.observe(drafts.length);
    const written = await writeDrafts(sql, peers.instance, drafts, {
      waits,
      shares: peers.areThere,
    });
    const rows = written.flatMap((result) =>
      result instanceof Error || result.embeds ? [] : result.row,
    );
    const embeds = await readEmbedsById(sql, rows, (row) => row.author_id);
    const created: Created[] = [];
    const posted = written.map((result) => {
      if (result instanceof Error) return result;
      const { row, isNew } = result;
      const embedded = result.embeds ?? embeds.get(row.id);
      const shared = toSharedMessage(row, embedded);
      if (isNew) created.push({ message: shared, ...rootThreadOf(embedded) });
      const message = addPrivateParts(shared, row, row.author_id, embedded);
      return { message, isNew };
    });
    // After the promises of this batch have settled: the author receives `ack` before the event.
    if (created.length > 0) setImmediate(publish, created);
    return posted;
  };
  const publish = (created: Created[]) => {
    feed.publish(
      created.map((content) => {
        const { room_id, seq } = content.message;
        return { type: "message", room_id, seq, ...content };
      }),
    );
    onPosted(created.map(({ message }) => message));
  };
  const batch = new Batch(write, {
    secondWriteAt: SECOND_WRITE_AT,
    keyOf: (draft) => draft.room_id,
    ...limits,
    sizeOf: estimateDraftBytes,
  });
  return {
    async post(author, roomId, body, via) {
      const started = performance.now();
      const posted = await batch.add(createDraft(author, roomId, body, via ?? null));
      metrics.acceptSeconds.observe((performance.now() - started) / 1_000);
      return posted;
    },
    idle: () => batch.idle(),
  };
}
