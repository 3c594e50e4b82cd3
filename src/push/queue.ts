import type { SqlClient } from "../database/connect.ts";
import { Coalescer } from "../platform/coalesce.ts";
import { getLogger } from "../platform/log.ts";

const log = getLogger("push");

/**
 * By then it is written down who has just come into the room or left it, and who was looking has
 * read it.
 */
const DELAY_SECONDS = 1;
const ATTEMPTS = 5;
export const RETRY_ATTEMPTS = 6;

/**
 * Queues that those who are away are told of new messages, if any browser wants to be told of
 * anything. A message's job has its id: queued twice, it is done once. No runner is woken: each looks
 * by itself by the time that the job is due.
 * @returns false if no browser does
 */
export async function queuePush(sql: SqlClient, messageIds: string[]): Promise<boolean> {
  const [row] = await sql<{ wanted: boolean }[]>`
    with wanted as materialized (
      select exists (select from push_subscriptions) as wanted
    ), queued as (
      insert into jobs (id, kind, payload, run_at, max_attempts)
      select id, 'push', json_build_object('messageId', id),
        clock_timestamp() + ${DELAY_SECONDS} * interval '1 second', ${ATTEMPTS}
      from unnest(${messageIds}::uuid[]) as m(id), wanted where wanted
      on conflict (id) do nothing
    )
    select wanted from wanted`;
  return row?.wanted ?? false;
}

/** Queues the rest of a message's pushes, after a subscription, for another process. */
export async function queueRest(sql: SqlClient, messageId: string, after: string): Promise<void> {
  await sql`
    insert into jobs (id, kind, payload, max_attempts)
    values (${Bun.randomUUIDv7()}, 'push',
      json_build_object('messageId', ${messageId}::text, 'after', ${after}::text), ${ATTEMPTS})`;
}

/** Where a site has no subscription, it looks again after so long. */
const QUIET_MS = 1_000;
/** Messages that wait to be queued; of what comes past that while the database is slow, no push is sent. */
const MAX_WAITING = 20_000;

export type PushQueue = {
  add(messageIds: string[]): void;
  /** A browser has subscribed: it is not to wait until the queue looks again. */
  wake(): void;
  /** Resolves when nothing waits to be queued. */
  idle(): Promise<void>;
};

/**
 * Queues beside the write path, many messages at once, and nothing at all where nobody wants it. A
 * process that dies between the two loses the push of a message, never the message.
 */
export function createPushQueue(sql: SqlClient): PushQueue {
  let quietUntil = 0;
  const waiting = new Coalescer(
    async (messageIds: string[]) => {
      try {
        const isWanted = await queuePush(sql, messageIds);
        quietUntil = isWanted ? 0 : performance.now() + QUIET_MS;
      } catch (error) {
        log.warn("Pushes could not be queued.", { error: String(error) });
      }
    },
    { maxItems: 1_000, maxWaiting: MAX_WAITING },
  );
  return {
    add(messageIds) {
      if (performance.now() < quietUntil) return;
      const refused = messageIds.filter((messageId) => !waiting.add(messageId));
      if (refused.length > 0) log.warn("Too many pushes wait to be queued; some are left out.");
    },
    wake() {
      quietUntil = 0;
    },
    idle: () => waiting.flush(),
  };
}

/** One to be told again, in so many seconds. */
export type Retry = { key: string; subscriptionId: string; seconds: number };

/**
 * Queues one more try for those that could not be told of a message. Where one waits already for the
 * same key, it stays at its time and tells of this message instead, as a push service would replace
 * what has the same topic.
 */
export async function queueRetries(
  sql: SqlClient,
  messageId: string,
  retries: Retry[],
): Promise<void> {
  if (retries.length === 0) return;
  await sql`
    insert into jobs (id, kind, payload, unique_key, run_at, max_attempts)
    select id, 'push_retry',
      json_build_object('messageId', ${messageId}::text, 'subscriptionId', subscription_id), key,
      clock_timestamp() + seconds * interval '1 second', ${RETRY_ATTEMPTS}
    from unnest(${retries.map(() => Bun.randomUUIDv7())}::uuid[],
      ${retries.map((one) => one.subscriptionId)}::uuid[], ${retries.map((one) => one.key)}::text[],
      ${retries.map((one) => one.seconds)}::float8[]) as r(id, subscription_id, key, seconds)
    on conflict (unique_key) where failed_at is null
      do update set payload = excluded.payload
        where jobs.locked_by is null
          and jobs.payload ->> 'messageId' < excluded.payload ->> 'messageId'`;
}
