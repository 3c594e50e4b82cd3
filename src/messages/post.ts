import type { SqlClient } from "../database/connect.ts";
import type { Feed } from "../feed/feed.ts";
import { Batch } from "../platform/concurrency/batch.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { Message, RoomKind, Thread } from "../wire/models.ts";
import type { PostMessage } from "../wire/requests.ts";
import { insertMessages } from "./insert.ts";
import { type Author, type NewMessage, parseMessage, type Via } from "./new-message.ts";
import { addViewerFields, readEmbedsById, rootThreadOf, toPublicMessage } from "./read.ts";

/** A message as its author sees it; `isNew` is false if a message with its `client_id` existed. */
export type PostResult = { message: Message; isNew: boolean };

/** A new message as everyone in its room sees it, with the thread if it is a reply, and the kind of the room. */
type NewPost = { kind: RoomKind | null; message: Message; root_thread?: Thread | null };

export type Poster = {
  /**
   * Posts a message; resolves once it is durable.
   * @param via an incoming webhook, which may post whatever its author may post in the room
   * @throws Refusal `empty_message`, `validation`, `unknown_upload`, `room_not_found`, `not_a_member`,
   * `room_archived`, `threads_off`, `unknown_thread`, `unknown_quote`, `client_id_used`,
   * `broadcast_restricted`, `unauthenticated`, `invalid_token`; `unavailable` if too many messages are
   * waiting
   */
  post(author: Author, roomId: string, body: PostMessage, via?: Via): Promise<PostResult>;
  /** Resolves when no messages are waiting and their effects in this process are complete. */
  idle(): Promise<void>;
};

type Effects = {
  feed: Pick<Feed, "publish">;
  /** See `activity/keywords.ts`. */
  keywords: { search(messages: Message[]): Promise<void> };
  /** See `push/queue.ts`. */
  pushQueue: { add(messageIds: string[]): void };
};

/**
 * Runs every effect of new messages that are durable, in order. Effects that must not be lost were
 * committed with the messages. The effects here are lost if the process ends: other processes
 * recover them, or they do not matter.
 */
async function afterPost({ feed, keywords, pushQueue }: Effects, newPosts: NewPost[]) {
  // Lets the batch's promises settle first, so that the author receives `ack` before the event.
  await new Promise(setImmediate);
  // 1. The sockets of this instance, in the order of each room's numbers.
  feed.publish(
    newPosts.map(({ kind, ...content }) => {
      const { room_id, seq } = content.message;
      return { kind, event: { type: "message", room_id, seq, ...content } };
    }),
  );
  // 2. Other instances read the log: the statement has notified them (`FEED_CHANNEL`, `Feed.onGrowth`).
  // 3. Mentions of people, rooms, `@room` and `@here` are rows that the statement has written.
  // 4. Keywords, which count as mentions.
  await keywords.search(newPosts.map(({ message }) => message));
  // 5. Push, after keywords, which count as mentions (`push/notify.ts`).
  pushQueue.add(newPosts.map(({ message }) => message.id));
  // 6. Link previews: the statement has queued the job (`previews/update-preview.ts`).
  // 7. Webhooks and 8. the search index follow the log: the notification wakes their dispatchers.
  // 9. Threads, and who follows them, are rows that the statement has written and announced.
}

/** Number of waiting messages at which a second concurrent write starts. */
const SECOND_WRITE_AT = 256;

/** Estimated bytes of a waiting message without its text. */
const MESSAGE_BYTES = 1_000;

/** Maximum number and size of waiting messages, about a second of write throughput. */
const LIMITS = { maxItems: 20_000, maxBytes: 64 * 1024 * 1024 };

/**
 * Creates the write path: all posts of this instance, from REST and sockets, go through one batch.
 * @param limits maximum number and size in bytes of waiting messages
 */
export function createPoster(
  sql: SqlClient,
  instance: string,
  effects: Effects,
  metrics: Pick<Metrics, "acceptSeconds" | "batchSize">,
  limits = LIMITS,
): Poster {
  const underWay = new Set<Promise<void>>();
  /** Writes a batch and publishes its new messages. Messages without embeds need no further queries. */
  const write = async (messages: NewMessage[], waits: boolean): Promise<(PostResult | Error)[]> => {
    metrics.batchSize.observe(messages.length);
    const results = await insertMessages(sql, instance, messages, waits);
    const rows = results.flatMap((result) => (result instanceof Error ? [] : result.row));
    const embeds = await readEmbedsById(sql, rows, (row) => row.author_id);
    const newPosts: NewPost[] = [];
    const posts = results.map((result) => {
      if (result instanceof Error) return result;
      const { row, kind, isNew } = result;
      const embed = embeds.get(row.id);
      const publicMessage = toPublicMessage(row, embed);
      if (isNew) newPosts.push({ kind, message: publicMessage, ...rootThreadOf(embed) });
      const message = addViewerFields(publicMessage, row, row.author_id, embed);
      return { message, isNew };
    });
    if (newPosts.length > 0) {
      const effect = afterPost(effects, newPosts);
      underWay.add(effect);
      void effect.finally(() => underWay.delete(effect));
    }
    return posts;
  };
  const batch = new Batch(write, {
    secondWriteAt: SECOND_WRITE_AT,
    keyOf: (message) => message.room_id,
    ...limits,
    sizeOf: ({ content }) => MESSAGE_BYTES + 2 * (content?.length ?? 0),
  });
  return {
    async post(author, roomId, body, via) {
      const startedAt = performance.now();
      const result = await batch.add(parseMessage(author, roomId, body, via ?? null));
      metrics.acceptSeconds.observe((performance.now() - startedAt) / 1_000);
      return result;
    },
    async idle() {
      await batch.idle();
      await Promise.all(underWay);
    },
  };
}
