import type { Database } from "../database/connect.ts";
import { enqueueJob } from "../jobs-queue/enqueue.ts";
import { type JobContext, RetryLaterError } from "../jobs-queue/job.ts";
import { type JobPayloads, maxAttemptsOf } from "../jobs-queue/kinds.ts";
import { insertJobs } from "../jobs-queue/statements.ts";
import type { Egress } from "../platform/egress/egress.ts";
import { getLogger } from "../platform/log.ts";
import {
  type Audience,
  buildPayload,
  isForOne,
  NEWS_SECONDS,
  type NotifiedMessage,
  readMessage,
} from "./payload.ts";
import { isQuiet } from "../wire/quiet-hours.ts";
import type { PushQueue } from "./queue.ts";
import type { PushOptions, PushResult } from "./send.ts";
import type { PushServices } from "./services.ts";
import { findRecipients, type Recipient } from "./statements.ts";
import { deleteSubscriptions } from "./subscriptions.ts";
import type { Vapid } from "./vapid.ts";

const log = getLogger("push");

export type PushDeps = {
  database: Database;
  egress: Egress;
  services: PushServices;
  /** The site's keys; null if notifications are off. */
  vapid(): Promise<Vapid | null>;
  queue: Pick<PushQueue, "wake">;
};

/** Subscriptions that are read at a time. */
const PAGE = 200;
/** Requests of one message that wait or are in flight; past them no more subscriptions are read. */
const MAX_PENDING = 1_000;
const FIRST_RETRY_SECONDS = 15;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

/**
 * Notifies everyone whom a message concerns. Those whose push service is not available are retried one
 * by one, so that no browser is notified twice. If the process stops, the rest is queued for another.
 */
export async function notifyRecipients(
  deps: PushDeps,
  { messageId, after = FIRST_ID }: JobPayloads["push"],
  { signal, stopping }: Pick<JobContext, "signal" | "stopping">,
): Promise<void> {
  const { db, sql } = deps.database;
  const message = await readMessage(db, messageId);
  const vapid = await deps.vapid();
  if (!message || !vapid) return;
  const notify = createNotifier(deps, vapid, message);
  const cut = AbortSignal.any([signal, stopping]);
  const pending = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let gone: string[] = [];
  let retries: Retry[] = [];
  const save = async () => {
    const [ended, waiting] = [gone, retries];
    [gone, retries] = [[], []];
    await deleteSubscriptions(db, ended);
    await insertJobs(sql, "push_retry", waiting, "messageId");
  };
  const begin = (recipient: Recipient) => {
    const done = notify(recipient, cut)
      .catch((error): PushResult => {
        // Whether it was delivered is unknown, so it is sent once more.
        if (stopping.aborted && !signal.aborted) {
          return { type: "later", reason: "the process stops", seconds: null };
        }
        throw error;
      })
      .then((result) => {
        if (result.type === "gone") gone.push(recipient.id);
        if (result.type === "later") retries.push(toRetry(messageId, recipient, result.seconds));
      })
      .catch((error) => failures.push(error))
      .then(() => void pending.delete(done));
    pending.add(done);
  };
  while (failures.length === 0) {
    const page = await findRecipients(sql, messageId, { after, limit: PAGE });
    const now = new Date();
    for (const recipient of page) {
      if (isQuiet(recipient.quietHours, now)) continue;
      if (recipient.isWaiting) retries.push(toRetry(messageId, recipient, null));
      else begin(recipient);
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) break;
    after = last.id;
    if (stopping.aborted) {
      await enqueueJob(db, { kind: "push", payload: { messageId, after } });
      break;
    }
    while (pending.size > MAX_PENDING) await Promise.race(pending);
    await save();
  }
  await Promise.all(pending);
  if (failures.length > 0) throw failures[0];
  await save();
}

/**
 * Notifies one browser whose push service was not available, if the message still concerns it.
 * @throws RetryLaterError if it is still not available; after the last attempt the push is given up
 * without a failed job, since administrators cannot mend a push service
 */
export async function retryNotification(
  deps: PushDeps,
  { messageId, subscriptionId }: JobPayloads["push_retry"],
  { signal, attempt }: JobContext,
): Promise<void> {
  const { db, sql } = deps.database;
  const message = await readMessage(db, messageId);
  const vapid = await deps.vapid();
  if (!message || !vapid) return;
  const only = { after: FIRST_ID, only: subscriptionId, limit: 1 };
  const [recipient] = await findRecipients(sql, messageId, only);
  if (!recipient || isQuiet(recipient.quietHours, new Date())) return;
  const result = await createNotifier(deps, vapid, message)(recipient, signal);
  if (result.type === "gone") await deleteSubscriptions(db, [recipient.id]);
  if (result.type !== "later") return;
  const { reason, seconds } = result;
  if (attempt < maxAttemptsOf("push_retry")) throw new RetryLaterError(reason, seconds ?? 0);
  log.warn("A push was given up after its last attempt.", { reason });
}

/** Creates the function that notifies one recipient; payloads differ by mention and preview only. */
function createNotifier({ services }: PushDeps, vapid: Vapid, message: NotifiedMessage) {
  const payloads = new Map<string, string>();
  return async (recipient: Recipient, signal: AbortSignal): Promise<PushResult> => {
    const key = `${recipient.isMentioned} ${recipient.preview}`;
    const payload = payloads.get(key) ?? buildPayload(message, recipient);
    payloads.set(key, payload);
    const options = optionsOf(message, recipient);
    const result = await services.send(vapid, recipient, payload, options, signal);
    // Without the endpoint: anyone who has it can send to it.
    if (result.type === "refused") log.warn("A push was refused.", { reason: result.reason });
    return result;
  };
}

/** A later message of a room replaces an earlier one, but not a mention. */
function optionsOf(message: NotifiedMessage, audience: Audience): PushOptions {
  const { roomId, kind } = message;
  const room = Buffer.from(roomId.replaceAll("-", ""), "hex").toString("base64url");
  const urgency = isForOne(message, audience) ? "high" : "normal";
  const topic = kind === "room" && audience.isMentioned ? `${room}m` : room;
  return { ttl: NEWS_SECONDS, urgency, topic };
}

/**
 * A job for one more attempt. Where one waits already with this key, it keeps its time and notifies of
 * the newer message, as a push service replaces what has the same topic.
 */
type Retry = { key: string; payload: JobPayloads["push_retry"]; inSeconds: number };

function toRetry(messageId: string, { id, retryKey }: Recipient, seconds: number | null): Retry {
  return {
    key: retryKey,
    payload: { messageId, subscriptionId: id },
    inSeconds: Math.max(seconds ?? 0, FIRST_RETRY_SECONDS),
  };
}
