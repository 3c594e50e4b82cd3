import type { SqlClient } from "../database/connect.ts";
import { Coalescer } from "../platform/coalesce.ts";
import { getLogger } from "../platform/log.ts";
import { enqueuePushes } from "./statements.ts";

const log = getLogger("push");

/** While a site has no subscription, it checks again after this time. */
const QUIET_MS = 1_000;
/** Messages that wait to be queued while the database is slow; past them messages are not pushed. */
const MAX_WAITING = 20_000;

export type PushQueue = {
  add(messageIds: string[]): void;
  /** Checks for subscriptions with the next message: a browser has just subscribed. */
  wake(): void;
  /** Resolves when nothing waits to be queued. */
  idle(): Promise<void>;
};

/**
 * Queues notifications beside the write path, many messages at once, and none while there is no
 * subscription. A process that dies in between loses the push of a message, never the message.
 */
export function createPushQueue(sql: SqlClient): PushQueue {
  let quietUntil = 0;
  const waiting = new Coalescer(
    async (messageIds: string[]) => {
      try {
        const isWanted = await enqueuePushes(sql, messageIds);
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
      if (refused.length > 0) {
        log.warn("Too many pushes wait to be queued; dropping some.", { count: refused.length });
      }
    },
    wake() {
      quietUntil = 0;
    },
    idle: () => waiting.flush(),
  };
}
