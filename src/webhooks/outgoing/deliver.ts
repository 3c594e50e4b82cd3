import type { Database, Query, SqlClient } from "../../database/connect.ts";
import { Dispatcher, type DispatcherOptions } from "../../jobs-queue/dispatcher.ts";
import { enqueueJobs } from "../../jobs-queue/enqueue.ts";
import { FairSemaphore } from "../../platform/concurrency/semaphore.ts";
import { and, asc, eq, gt, lte, notExists, sql } from "drizzle-orm";
import { outgoingWebhooks, roomLog, webhookDeliveries } from "../../database/schema.ts";
import { buildPayloads, readPresentBody, removeContent } from "./payloads.ts";
import type { JobContext } from "../../jobs-queue/job.ts";
import type { Egress } from "../../platform/egress/egress.ts";
import { UnsealError, unsealValue } from "../../platform/secrets/sealed.ts";
import type { ReadKey } from "../../platform/secrets/secrets.ts";
import { callReceiver, type ReceiverResult } from "./receiver.ts";
import { WEBHOOK_SECRET } from "./secret.ts";
import type { DeliveryState } from "../../wire/webhooks.ts";

/*
 * What happens to a webhook event. The event is a row of the room's log.
 * 1. `enqueueDueWebhooks` sees that the log has grown and queues one job for the webhook.
 * 2. The job runs `deliverToWebhook`: `createDeliveries` turns rows of the log into deliveries.
 * 3. `attemptDelivery` builds the payload as of now (`payloads.ts`), signs it and sends it (`receiver.ts`).
 * 4. `recordAttempt` stores the outcome: delivered, another attempt later, failed, or the webhook is off.
 */

export type OutgoingWebhookDeps = {
  database: Database;
  egress: Egress;
  readKey: ReadKey;
  /** For one attempt; 15 seconds if left out. */
  timeoutMs?: number;
};

/** The next check while something is due: a running job may just have missed it. */
const RECHECK_MS = 1_000;

/** The maximum number of webhooks delivered to at a time, on all instances together. */
export const MAX_WEBHOOKS_AT_ONCE = 64;
/** The maximum number of these webhooks whose last attempt was slow. */
const MAX_SLOW_WEBHOOKS = 16;

/** The key of a webhook's one job; `findPendingWebhooks` builds the same. */
const jobKeyOf = (webhookId: string) => `hook:${webhookId}`;

/**
 * Queues a job for each webhook for which something is due: its room's log has grown past its
 * position, or a delivery's time has come. Both are read from the database, so a crash loses nothing.
 * @returns milliseconds until the next delivery may be due; null if only new events can make one
 * due
 */
export async function enqueueDueWebhooks({ db, sql }: Database): Promise<number | null> {
  const pending = await findPendingWebhooks(sql, MAX_PENDING);
  const dueWebhooks = pending.filter((webhook) => webhook.is_due);
  await enqueueJobs(
    db,
    chooseWebhooks(dueWebhooks).map(({ id }) => ({
      kind: "webhook_events",
      payload: { hookId: id },
      key: jobKeyOf(id),
    })),
  );
  if (dueWebhooks.length > 0) return RECHECK_MS;
  const seconds = pending.flatMap(({ in_seconds }) => in_seconds ?? []);
  return seconds.length === 0 ? null : Math.min(...seconds) * 1_000;
}

export function createWebhookDispatcher(
  database: Database,
  peers: DispatcherOptions["peers"],
  sweepMs?: number,
): Dispatcher {
  return new Dispatcher({
    name: "webhooks",
    peers,
    enqueueDue: () => enqueueDueWebhooks(database),
    minIntervalMs: 200,
    minIntervalTimes: 20,
    sweepMs,
  });
}

/**
 * Chooses the due webhooks that get a job now. However many receivers hang, each host, room and
 * person gets no more than its share, and slow receivers only some of the jobs.
 * @param webhooks in order of priority
 */
function chooseWebhooks(webhooks: PendingWebhook[]): PendingWebhook[] {
  const semaphore = new FairSemaphore({ permits: MAX_WEBHOOKS_AT_ONCE });
  let slow = 0;
  const keysOf = ({ room_id, created_by, url }: PendingWebhook) => [
    `room ${room_id}`,
    `user ${created_by}`,
    `host ${URL.parse(url)?.host}`,
  ];
  for (const webhook of webhooks.filter(({ is_queued }) => is_queued)) {
    semaphore.forceAcquire(keysOf(webhook));
    if (webhook.is_slow) slow += 1;
  }
  return webhooks.filter((webhook) => {
    if (webhook.is_queued || (webhook.is_slow && slow >= MAX_SLOW_WEBHOOKS)) return false;
    if (!semaphore.tryAcquire(keysOf(webhook))) return false;
    if (webhook.is_slow) slow += 1;
    return true;
  });
}

/** A webhook that has, or will have, something to deliver. */
type PendingWebhook = {
  id: string;
  room_id: string;
  created_by: string;
  url: string;
  is_slow: boolean;
  /** Whether the webhook's job is waiting or running. */
  is_queued: boolean;
  is_due: boolean;
  in_seconds: number | null;
};

/**
 * Finds active webhooks with events after their position in the room's log, or with pending
 * deliveries, in order of priority.
 * @param maxPending a webhook with this many pending deliveries reads no further in the log
 */
function findPendingWebhooks(sql: SqlClient, maxPending: number): Promise<PendingWebhook[]> {
  // The key is that of `jobKeyOf`.
  return sql<PendingWebhook[]>`
    select w.id, w.room_id, w.created_by, w.url, w.slow_attempts > 0 as is_slow,
      j.id is not null as is_queued,
      (w.resting_until <= statement_timestamp()) is not false
        and (b.is_behind or d.next_at <= statement_timestamp() is true) as is_due,
      extract(epoch from greatest(case when not b.is_behind then d.next_at end, w.resting_until)
        - statement_timestamp())::float8 as in_seconds
    from outgoing_webhooks w join rooms r on r.id = w.room_id
    left join lateral (
      select next_at from webhook_deliveries
      where hook_id = w.id and state = 'pending' order by next_at limit 1
    ) d on true
    cross join lateral (
      select w.after_seq < r.last_seq and not exists (
        select from webhook_deliveries where hook_id = w.id and state = 'pending'
        offset ${maxPending - 1}
      ) as is_behind
    ) b
    left join jobs j on j.unique_key = 'hook:' || w.id and j.failed_at is null
    where w.is_active and (b.is_behind or d.next_at is not null)
    order by w.slow_attempts > 0, d.next_at nulls first`;
}

const BATCH_SIZE = 100;
/** While a webhook has this many pending deliveries, later events stay in the log. */
const MAX_PENDING = 1_000;

/**
 * Creates deliveries of the events after the webhook's position in the room's log, and advances the
 * position in the same statement: if a process dies, nothing is lost or created twice.
 * @returns false if there is no new event, the webhook is paused or deleted, too many deliveries
 * are pending, or another process has advanced the position
 */
export async function createDeliveries(database: Database, webhookId: string): Promise<boolean> {
  const { db, sql } = database;
  const surplus = db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.state, "pending")))
    .offset(MAX_PENDING - 1);
  const [webhook] = await db
    .select()
    .from(outgoingWebhooks)
    .where(
      and(
        eq(outgoingWebhooks.id, webhookId),
        eq(outgoingWebhooks.isActive, true),
        notExists(surplus),
      ),
    );
  if (!webhook) return false;
  const { roomId, afterSeq, events } = webhook;
  const entries = await db
    .select({ seq: roomLog.seq, type: roomLog.type, createdAt: roomLog.createdAt })
    .from(roomLog)
    .where(and(eq(roomLog.roomId, roomId), gt(roomLog.seq, afterSeq)))
    .orderBy(asc(roomLog.seq))
    .limit(BATCH_SIZE);
  const last = entries.at(-1);
  if (!last) return false;
  const payloads = await buildPayloads(database, roomId, entries, events);
  return insertDeliveries(sql, webhookId, { from: afterSeq, to: last.seq }, payloads);
}

/** Advances the position and inserts the deliveries, or neither. @returns false if it has changed */
async function insertDeliveries(
  sql: SqlClient,
  webhookId: string,
  { from, to }: { from: number; to: number },
  payloads: { event: string; seq: number; body: string }[],
): Promise<boolean> {
  // Truncated, since the column would round up, and the next statement must find them due.
  const rows = await sql`
    with advanced as (
      update outgoing_webhooks set after_seq = ${to}
      where id = ${webhookId} and after_seq = ${from} and is_active returning id
    ), inserted as (
      insert into webhook_deliveries (id, hook_id, event, seq, body, next_at)
      select d.id, advanced.id, d.event, d.seq, d.body,
        date_trunc('milliseconds', statement_timestamp())
      from advanced, unnest(
        ${payloads.map(() => Bun.randomUUIDv7())}::uuid[],
        ${payloads.map(({ event }) => event)}::text[], ${payloads.map(({ seq }) => seq)}::bigint[],
        ${payloads.map(({ body }) => body)}::text[]
      ) as d(id, event, seq, body)
    )
    select from advanced`;
  return rows.length > 0;
}

/** The delays after each attempt: the schedule of Standard Webhooks. */
const RETRY_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
/** Up to this fraction is added to a delay, so that deliveries that failed together spread out. */
const JITTER = 0.2;
/** A job ends after this time, so that other webhooks get their turn. */
const TURN_MS = 30_000;
/** A receiver that takes longer to respond is slow. */
const SLOW_MS = 3_000;

/**
 * Delivers what is due for one webhook, one delivery after the other; a delivery that waits for a
 * retry does not block the next. Then it creates the next deliveries from the room's log. It ends
 * early after a slow attempt, so that another webhook gets a turn, and when the process stops.
 */
export async function deliverToWebhook(
  deps: OutgoingWebhookDeps,
  webhookId: string,
  { signal, stopping }: Pick<JobContext, "signal" | "stopping">,
): Promise<void> {
  const { database } = deps;
  const end = performance.now() + TURN_MS;
  while (performance.now() < end && !stopping.aborted) {
    signal.throwIfAborted();
    // The delivery that has been due for longest: first attempts in the order of the room's log.
    const [delivery] = await selectDue(database.db)
      .where(
        and(
          eq(outgoingWebhooks.id, webhookId),
          eq(outgoingWebhooks.isActive, true),
          eq(webhookDeliveries.state, "pending"),
          lte(webhookDeliveries.nextAt, sql`statement_timestamp()`),
        ),
      )
      .orderBy(asc(webhookDeliveries.nextAt), asc(webhookDeliveries.seq))
      .limit(1);
    if (delivery) {
      const { isSlow } = await attemptDelivery(deps, delivery, signal);
      if (isSlow) return;
    } else if (!(await createDeliveries(database, webhookId))) return;
  }
}

/** A delivery, and what sending it needs. */
type DueDelivery = Awaited<ReturnType<typeof selectDue>>[number];

/** Deliveries with their webhooks, to be narrowed by `where`. */
export function selectDue(db: Query) {
  const { previousSecret, previousUntil } = outgoingWebhooks;
  return db
    .select({
      id: webhookDeliveries.id,
      roomId: outgoingWebhooks.roomId,
      seq: webhookDeliveries.seq,
      event: webhookDeliveries.event,
      body: webhookDeliveries.body,
      attempts: webhookDeliveries.attempts,
      url: outgoingWebhooks.url,
      secret: outgoingWebhooks.secret,
      /** Null once the previous secret no longer signs. */
      previousSecret: sql<Buffer | null>`case when ${previousUntil} > statement_timestamp()
        then ${previousSecret} end`,
      /** PostgreSQL's clock, in seconds since 1970. */
      now: sql<number>`floor(extract(epoch from statement_timestamp()))::float8`,
    })
    .from(outgoingWebhooks)
    .innerJoin(webhookDeliveries, eq(webhookDeliveries.webhookId, outgoingWebhooks.id));
}

/**
 * Attempts a delivery with the current content and records the outcome. If the content was deleted,
 * it ends without a request.
 * @param isTest tests are attempted once, and a failure does not count against the webhook
 * @returns whether the receiver was slow
 * @throws the reason of `signal` when it is aborted: the delivery stays due
 */
export async function attemptDelivery(
  deps: OutgoingWebhookDeps,
  delivery: DueDelivery,
  signal?: AbortSignal,
  isTest = false,
): Promise<{ isSlow: boolean }> {
  const { sql: client } = deps.database;
  const body = await readPresentBody(deps.database, delivery);
  if (body === null) {
    await recordDeletedContent(client, delivery, removeContent(delivery.body));
    return { isSlow: false };
  }
  const result = await signAndSend(deps, { ...delivery, body }, signal);
  const isDone = result.error === null;
  const isGone = result.status === 410;
  const delay = isTest || isDone || isGone ? undefined : RETRY_SECONDS[delivery.attempts];
  const isSlow = result.durationMs >= SLOW_MS || result.hasTimedOut;
  await recordAttempt(client, delivery, {
    ...result,
    body,
    state: isDone ? "delivered" : delay === undefined ? "failed" : "pending",
    retrySeconds: delay === undefined ? null : delay * (1 + JITTER * Math.random()),
    counts: !isDone && !isTest,
    isGone,
    isSlow,
  });
  return { isSlow };
}

async function signAndSend(
  { egress, readKey, timeoutMs }: OutgoingWebhookDeps,
  { id, url, body, now, secret, previousSecret }: DueDelivery,
  signal: AbortSignal | undefined,
): Promise<ReceiverResult> {
  try {
    const keys = await readKey();
    const sealedSecrets = previousSecret ? [secret, previousSecret] : [secret];
    const secrets = sealedSecrets.map((value) => unsealValue(keys, WEBHOOK_SECRET, value));
    return await callReceiver(
      egress,
      { id, url, body, secrets, timestamp: now, timeoutMs },
      signal,
    );
  } catch (error) {
    // A retry cannot help, but an admin who reads the error can rotate the secret.
    if (!(error instanceof UnsealError)) throw error;
    return {
      status: null,
      error: error.message,
      durationMs: 0,
      response: null,
      hasTimedOut: false,
    };
  }
}

type AttemptOutcome = ReceiverResult & {
  state: DeliveryState;
  body: string;
  /** Seconds until the retry; null for no retry. */
  retrySeconds: number | null;
  isSlow: boolean;
  /** Whether the receiver responded 410. */
  isGone: boolean;
  /** Whether a failure counts against the webhook. */
  counts: boolean;
};

const MAX_DAYS_FAILING = 5;
/** The cooldown after a timeout. It doubles with each slow attempt. */
const COOLDOWN_SECONDS = 5;
const MAX_COOLDOWN_SECONDS = 300;

/**
 * Records an attempt and its consequences for the webhook: since when it is failing, whether it is
 * slow, its cooldown, or that it is disabled. Fenced by the number of attempts: a process that has
 * lost the job does not overwrite the attempt of another.
 */
async function recordAttempt(
  sql: SqlClient,
  { id, attempts }: { id: string; attempts: number },
  outcome: AttemptOutcome,
): Promise<void> {
  const { state, body, retrySeconds, status, error, durationMs, response } = outcome;
  const { hasTimedOut, isSlow, isGone, counts } = outcome;
  const isDone = error === null;
  await sql`
    with attempted as (
      update webhook_deliveries set state = ${state}, body = ${body}, attempts = attempts + 1,
        next_at = clock_timestamp() + ${retrySeconds}::float8 * interval '1 second',
        tried_at = clock_timestamp(), status = ${status}, error = ${error},
        duration_ms = ${durationMs}, answer = ${response},
        delivered_at = case when ${isDone} then clock_timestamp() end
      where id = ${id} and state = 'pending' and attempts = ${attempts}
      returning hook_id
    ), judged as (
      select w.id, w.failing_since, w.slow_attempts, case
          when ${isGone} then 'It answered 410: it wants no more.'
          when ${counts} and w.failing_since
            < clock_timestamp() - ${MAX_DAYS_FAILING} * interval '1 day'
          then 'Nothing could be delivered for five days.'
        end as reason
      from outgoing_webhooks w join attempted on attempted.hook_id = w.id
      where ${!isDone || isSlow} or w.failing_since is not null or w.slow_attempts > 0
      for update of w
    )
    update outgoing_webhooks w set
      failing_since = case when ${counts}
        then coalesce(judged.failing_since, clock_timestamp())
        when ${!isDone} then judged.failing_since end,
      slow_attempts = case when ${isSlow} then judged.slow_attempts + 1 else 0 end,
      resting_until = case when ${hasTimedOut} then clock_timestamp() + interval '1 second'
        * least(${MAX_COOLDOWN_SECONDS}::float8,
          ${COOLDOWN_SECONDS}::float8 * 2 ^ least(judged.slow_attempts, 10)) end,
      is_active = w.is_active and judged.reason is null,
      disabled_reason = case when w.is_active then judged.reason else w.disabled_reason end
    from judged where w.id = judged.id`;
}

/**
 * Ends a delivery whose content was deleted, and deletes the content from its body. Fenced like
 * `recordAttempt`.
 * @param body without the content
 */
async function recordDeletedContent(
  sql: SqlClient,
  { id, attempts }: { id: string; attempts: number },
  body: string,
): Promise<void> {
  await sql`
    update webhook_deliveries set state = 'failed', next_at = null, body = ${body},
      error = 'Not sent: what it is about was deleted.'
    where id = ${id} and state = 'pending' and attempts = ${attempts}`;
}
