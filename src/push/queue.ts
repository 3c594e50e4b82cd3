import type { SqlClient } from "../database/connect.ts";
import { insertJobsText } from "../jobs-queue/enqueue.ts";
import { Coalescer } from "../platform/concurrency/coalesce.ts";
import { getLogger } from "../platform/log.ts";

const log = getLogger("push");

/** How long to wait before checking for subscriptions again if the site has none. */
const QUIET_MS = 1_000;
/**
 * Maximum number of messages waiting to be queued while the database is slow. Above it, messages are
 * not pushed.
 */
const MAX_WAITING = 20_000;

export type PushQueue = {
  add(messageIds: string[]): void;
  /** Call when a browser has subscribed, so that the next message checks for subscriptions. */
  wake(): void;
  idle(): Promise<void>;
};

/**
 * Queues notifications asynchronously after posts, in batches, and only while there are subscriptions.
 * If a process dies, the push of a message may be lost, but never the message.
 */
export function createPushQueue(sql: SqlClient): PushQueue {
  let quietUntil = 0;
  const coalescer = new Coalescer(
    async (messageIds: string[]) => {
      try {
        const hasSubscriptions = await enqueuePushes(sql, messageIds);
        quietUntil = hasSubscriptions ? 0 : performance.now() + QUIET_MS;
      } catch (error) {
        log.warn("Pushes could not be queued.", { error: String(error) });
      }
    },
    { maxItems: 1_000, maxWaiting: MAX_WAITING },
  );
  return {
    add(messageIds) {
      if (performance.now() < quietUntil) return;
      const droppedIds = messageIds.filter((messageId) => !coalescer.add(messageId));
      if (droppedIds.length > 0) {
        log.warn("Too many pushes wait to be queued; dropping some.", { count: droppedIds.length });
      }
    },
    wake() {
      quietUntil = 0;
    },
    idle: () => coalescer.flush(),
  };
}

/** Gives the database a moment to record who has opened or left the room or read the message. */
const DELAY_SECONDS = 1;

/** SQL that inserts a job for each row of `new_messages`. */
const INSERT_PUSHES = insertJobsText(
  "push",
  "select id, jsonb_build_object('messageId', id) from new_messages",
  DELAY_SECONDS,
);

/**
 * Queues the notifications of new messages, if there is any subscription: one statement checks and
 * inserts, since it runs for each batch of messages. A message's job has the message's id, so that it
 * is queued once. Runners are not notified: they find the job by the time it is due.
 * @returns false if there is no subscription
 */
export async function enqueuePushes(sql: SqlClient, messageIds: string[]): Promise<boolean> {
  const [row] = await sql<{ has_any: boolean }[]>`
    with subscriptions as materialized (
      select exists (select from push_subscriptions) as has_any
    ), new_messages as (
      select id from unnest(${messageIds}::uuid[]) as m(id), subscriptions where has_any
    ), queued as (
      ${sql.unsafe(INSERT_PUSHES)}
    )
    select has_any from subscriptions`;
  return row?.has_any ?? false;
}
