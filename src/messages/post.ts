import type { HandSql } from "../database/connect.ts";
import type { Feed } from "../feed/feed.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { Message } from "../wire/models.ts";
import type { PostMessage } from "../wire/requests.ts";
import { Batch } from "./batch.ts";
import { checkContent, checkUploads } from "./content.ts";
import { type Draft, insertMessages, type Posted } from "./insert.ts";
import { toMessage } from "./read.ts";

export type Poster = {
  /**
   * Posts a message; resolves once it is durable.
   * @returns the message as its author sees it, and whether it is new or was posted before with
   * the same `client_id`
   * @throws Refusal `empty_message`, `validation`, `unknown_upload`, `room_not_found`,
   * `not_a_member`, `room_archived`
   */
  post(
    authorId: string,
    roomId: string,
    given: PostMessage,
  ): Promise<{ message: Message; isNew: boolean }>;
  /** Resolves when nothing waits to be written. */
  idle(): Promise<void>;
};

/** Two writes at a time: while the database works on one, the next is made ready or told of. */
const LANES = 2;

/**
 * The write path: all posts of this instance, over REST and the socket, go through batches. Those for
 * one room always go through the same, so that they keep the order in which they came.
 */
export function createPoster(
  sql: HandSql,
  instance: string,
  feed: Pick<Feed, "offer">,
  metrics: Pick<Metrics, "acceptSeconds" | "batchSize">,
): Poster {
  const write = async (drafts: Draft[]) => {
    metrics.batchSize.observe(drafts.length);
    const results = await insertMessages(sql, instance, drafts);
    const events = results.flatMap((result) =>
      result instanceof Error || !result.isNew
        ? []
        : { type: "message" as const, ...place(result), message: toMessage(result.row, null) },
    );
    // After the promises of this batch have settled: the author hears `ack` before the envelope.
    if (events.length > 0) setImmediate(() => feed.offer(events));
    return results;
  };
  const lanes = Array.from({ length: LANES }, () => new Batch<Draft, Posted>(write));
  // The last characters of an id are random.
  const laneOf = (roomId: string) =>
    lanes[roomId.charCodeAt(roomId.length - 1) % LANES] as (typeof lanes)[0];
  return {
    async post(authorId, roomId, given) {
      checkUploads(given);
      const started = performance.now();
      const { row, isNew } = await laneOf(roomId).add({
        id: Bun.randomUUIDv7(),
        roomId,
        authorId,
        content: checkContent(given.content),
        clientId: given.client_id?.toLowerCase() ?? null,
      });
      metrics.acceptSeconds.observe((performance.now() - started) / 1_000);
      return { message: toMessage(row, authorId), isNew };
    },
    idle: async () => void (await Promise.all(lanes.map((lane) => lane.idle()))),
  };
}

function place({ row }: Posted) {
  return { room_id: row.room_id, seq: row.seq };
}
