import type { Database, Drizzle, SqlClient } from "../database/connect.ts";
import { enqueueJob, enqueueJobs, type NewJob } from "../jobs-queue/enqueue.ts";
import { type JobContext, RetryLaterError } from "../jobs-queue/job.ts";
import { type JobKind, type JobPayloads, maxAttemptsOf } from "../jobs-queue/kinds.ts";
import type { Egress } from "../platform/egress/egress.ts";
import { SMALLEST_ID } from "../platform/ids.ts";
import { getLogger } from "../platform/log.ts";
import { IS_LIVE } from "../presence/read.ts";
import { isMuted } from "../rooms/muted.ts";
import { isBroadcastTo } from "../rooms/unread.ts";
import type { PushPreview, QuietHours } from "../wire/models.ts";
import {
  type Audience,
  buildPayload,
  isForOne,
  NEWS_SECONDS,
  type NotifiedMessage,
  readMessage,
  topicOf,
} from "./payload.ts";
import { isQuiet } from "../wire/quiet-hours.ts";
import type { PushQueue } from "./queue.ts";
import type { PushOptions, PushResult } from "./send.ts";
import type { PushServices } from "./services.ts";
import { deleteSubscriptions, type Subscription } from "./subscriptions.ts";
import type { Vapid } from "./vapid.ts";

const log = getLogger("push");

export type PushDeps = {
  database: Database;
  egress: Egress;
  services: PushServices;
  /** The site's keys; null if notifications are off. */
  vapid(): Promise<Vapid | null>;
  baseUrl: string;
  queue: Pick<PushQueue, "wake">;
  /** Maximum number of pending requests per message. Above it, no more subscriptions are read. */
  maxPending?: number;
};

const PAGE = 200;
const MAX_PENDING = 1_000;
const FIRST_RETRY_SECONDS = 15;

/**
 * Notifies everyone a message is relevant to. Browsers whose push service is unavailable are retried
 * individually, so that none is notified twice. If the process stops, the rest is queued for another
 * process.
 */
export async function notifyRecipients(
  deps: PushDeps,
  { messageId, after = SMALLEST_ID }: JobPayloads["push"],
  context: Pick<JobContext, "signal" | "stopping">,
): Promise<void> {
  const { maxPending = MAX_PENDING } = deps;
  const { db, sql } = deps.database;
  const vapid = await deps.vapid();
  if (!vapid) return;
  const pushes = new Pushes(db, messageId, context);
  while (!pushes.hasFailed) {
    // Read for each page, because the message may have been edited or deleted in the meantime.
    const message = await readMessage(db, messageId);
    if (!message) break;
    const notify = createNotifier(deps, vapid, message);
    const page = await findRecipients(sql, messageId, { after, limit: PAGE });
    const now = new Date();
    for (const recipient of page) {
      if (isQuiet(recipient.quiet_hours, now)) continue;
      if (recipient.is_waiting) pushes.retry(recipient, null);
      else pushes.start(notify, recipient);
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) break;
    after = last.id;
    if (context.stopping.aborted) {
      await enqueueJob(db, { kind: "push", payload: { messageId, after } });
      break;
    }
    await pushes.waitUntilAtMost(maxPending);
    await pushes.save();
  }
  await pushes.finish();
}

/** The pushes of one message: those being sent, and what their results change in the database. */
class Pushes {
  readonly #pending = new Set<Promise<void>>();
  readonly #failures: unknown[] = [];
  readonly #stop: AbortSignal;
  #goneIds: string[] = [];
  #retries: NewJob<"push_retry">[] = [];

  constructor(
    readonly db: Drizzle,
    readonly messageId: string,
    readonly context: Pick<JobContext, "signal" | "stopping">,
  ) {
    this.#stop = AbortSignal.any([context.signal, context.stopping]);
  }

  get hasFailed(): boolean {
    return this.#failures.length > 0;
  }

  start(notify: Notify, recipient: Recipient): void {
    const { signal, stopping } = this.context;
    const attempt = notify(recipient, this.#stop)
      .catch((error): PushResult => {
        // The push may or may not have been delivered, so it is sent again.
        if (stopping.aborted && !signal.aborted) {
          return { type: "later", reason: "the process stops", seconds: null };
        }
        throw error;
      })
      .then((result) => {
        if (result.type === "gone") this.#goneIds.push(recipient.id);
        if (result.type === "later") this.retry(recipient, result.seconds);
      })
      .catch((error) => this.#failures.push(error))
      .then(() => void this.#pending.delete(attempt));
    this.#pending.add(attempt);
  }

  /**
   * Queues another attempt. A waiting job with the same key keeps its time but gets the newer message,
   * as a push service replaces notifications with the same topic.
   */
  retry({ id, retry_key }: Recipient, seconds: number | null): void {
    this.#retries.push({
      kind: "push_retry",
      key: retry_key,
      payload: { messageId: this.messageId, subscriptionId: id },
      inSeconds: Math.max(seconds ?? 0, FIRST_RETRY_SECONDS),
    });
  }

  async waitUntilAtMost(count: number): Promise<void> {
    while (this.#pending.size > count) await Promise.race(this.#pending);
  }

  async save(): Promise<void> {
    const [ids, jobs] = [this.#goneIds, this.#retries];
    [this.#goneIds, this.#retries] = [[], []];
    await deleteSubscriptions(this.db, ids);
    await enqueueJobs(this.db, jobs, { newer: "messageId" });
  }

  async finish(): Promise<void> {
    await Promise.all(this.#pending);
    if (this.hasFailed) throw this.#failures[0];
    await this.save();
  }
}

/**
 * Notifies one browser whose push service was unavailable, if the message is still relevant to it.
 * @throws RetryLaterError if the push service is still unavailable.
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
  const only = { after: SMALLEST_ID, only: subscriptionId, limit: 1 };
  const [recipient] = await findRecipients(sql, messageId, only);
  if (!recipient || isQuiet(recipient.quiet_hours, new Date())) return;
  const result = await createNotifier(deps, vapid, message)(recipient, signal);
  if (result.type === "gone") await deleteSubscriptions(db, [recipient.id]);
  if (result.type === "later") retryOrDrop("push_retry", attempt, result);
}

/**
 * Drops a push after its last attempt without marking the job as failed: administrators cannot repair a push service.
 * @throws RetryLaterError after earlier attempts
 */
export function retryOrDrop(
  kind: JobKind,
  attempt: number,
  { reason, seconds }: Extract<PushResult, { type: "later" }>,
): void {
  if (attempt < maxAttemptsOf(kind)) throw new RetryLaterError(reason, seconds ?? 0);
  log.warn("A push failed after its last attempt.", { reason });
}

type Notify = (recipient: Recipient, signal: AbortSignal) => Promise<PushResult>;

/** Creates the function that notifies one recipient. Payloads differ only by mention and preview. */
function createNotifier(
  { services, baseUrl }: PushDeps,
  vapid: Vapid,
  message: NotifiedMessage,
): Notify {
  const payloads = new Map<string, string>();
  return async (recipient, signal) => {
    const key = `${recipient.is_mentioned} ${recipient.preview}`;
    const payload = payloads.get(key) ?? buildPayload(message, recipient, baseUrl);
    payloads.set(key, payload);
    const options = optionsOf(message, recipient);
    const result = await services.send(vapid, recipient, payload, options, signal);
    // The endpoint is not logged: anyone who has it can send notifications.
    if (result.type === "refused") log.warn("A push was refused.", { reason: result.reason });
    return result;
  };
}

/** A room's newer message replaces an older one, but not a mention. */
function optionsOf(message: NotifiedMessage, audience: Audience): PushOptions {
  const { roomId, kind } = message;
  const room = topicOf(roomId);
  const urgency = isForOne(message, audience) ? "high" : "normal";
  const topic = kind === "room" && audience.is_mentioned ? `${room}m` : room;
  return { ttl: NEWS_SECONDS, urgency, topic };
}

type Recipient = Subscription & {
  is_mentioned: boolean;
  preview: PushPreview;
  quiet_hours: QuietHours | null;
  /** The key of the retry job: one per room for messages, and one for mentions. */
  retry_key: string;
  /** Whether a retry of an earlier message is queued, which this message replaces. */
  is_waiting: boolean;
};

/**
 * Reads the browsers to notify of a message: those of active members other than the author (a webhook's
 * creator is not its author) who have not read it, do not have the room open on any instance, have not
 * paused notifications, and get notifications from this room. Replies go to those who follow the thread
 * and have not read it there, and to those who want every reply. Appearing offline makes no difference.
 * @param after the last subscription of the previous page
 * @param only a single subscription, for a retry
 */
function findRecipients(
  sql: SqlClient,
  messageId: string,
  { after, only = null, limit }: { after: string; only?: string | null; limit: number },
): Promise<Recipient[]> {
  return sql<Recipient[]>`
    select s.id, s.endpoint, s.p256dh, s.auth, mention.is_one as is_mentioned,
      u.push_preview as preview, u.quiet_hours,
      retry.key as retry_key,
      exists (select from jobs where unique_key = retry.key and failed_at is null
        and locked_by is null) as is_waiting
    from messages m
    join rooms on rooms.id = m.room_id
    join memberships ms on ms.room_id = m.room_id
      and (ms.user_id <> m.author_id or m.via_name is not null) and ms.last_read_seq < m.seq
    join users u on u.id = ms.user_id and u.is_active
      and (u.push_paused_until is null or u.push_paused_until <= clock_timestamp())
    join push_subscriptions s on s.user_id = u.id
    join sessions on sessions.id = s.session_id and sessions.expires_at > clock_timestamp()
      and not sessions.is_restricted
    left join message_broadcasts broadcast on broadcast.message_id = m.id
    cross join lateral (
      select exists (select from message_mentions where message_id = m.id and user_id = u.id)
        or exists (select from keyword_hits where message_id = m.id and user_id = u.id)
        or (broadcast.message_id is not null and ${sql.unsafe(isBroadcastTo("u.id"))}) as is_one
    ) mention
    cross join lateral (
      select 'push ' || s.id || ' ' || m.room_id
        || case when mention.is_one then ' mention' else '' end as key
    ) retry
    left join thread_follows f on f.user_id = u.id and f.thread_id = m.thread_id
    where m.id = ${messageId} and s.id > ${after} and (${only}::uuid is null or s.id = ${only}::uuid)
      and not ${sql.unsafe(isMuted("ms"))}
      -- In a conversation of two, every message counts as a mention.
      and (ms.notify = 'all' or mention.is_one or rooms.direct_kind = 'pair')
      and (m.thread_id is null
        or (mention.is_one or f.is_following or ms.thread_push = 'all')
          and coalesce(f.read_seq < m.seq, true))
      and not exists (
        select from open_rooms o join instances i on i.id = o.instance_id
        where o.room_id = m.room_id and o.user_id = u.id and ${sql.unsafe(IS_LIVE)})
    order by s.id limit ${limit}`;
}
