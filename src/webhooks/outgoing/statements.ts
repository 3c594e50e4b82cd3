import type { SqlClient } from "../../database/connect.ts";
import type { DeliveryState } from "../../wire/outgoing-webhooks.ts";

/**
 * Hand-written SQL, because drizzle cannot say data-modifying CTEs over `unnest`, lateral joins, or
 * a limited delete by an array of ids, which is evaluated once and by an index.
 */

/** A webhook that has, or will have, something to deliver. */
export type PendingWebhook = {
  id: string;
  room_id: string;
  created_by: string;
  url: string;
  is_slow: boolean;
  /** Its job waits or runs already. */
  is_queued: boolean;
  is_due: boolean;
  in_seconds: number | null;
};

/**
 * Active webhooks whose room's log has grown past their position, or with pending deliveries; in the
 * order in which they get a place.
 * @param maxPending a webhook with this many pending deliveries reads no further in the log
 */
export function findPendingWebhooks(sql: SqlClient, maxPending: number): Promise<PendingWebhook[]> {
  // The key is that of `jobKeyOf` in `dispatcher.ts`.
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

/**
 * Advances a webhook's position in the room's log and inserts the deliveries in between, or neither.
 * @returns false if the position was another by now
 */
export async function insertDeliveries(
  sql: SqlClient,
  webhookId: string,
  { from, to }: { from: number; to: number },
  payloads: { event: string; seq: number; body: string }[],
): Promise<boolean> {
  // Truncated, since the column would round up, and they must be due to the next statement.
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

type AttemptOutcome = {
  state: DeliveryState;
  /** Until the retry; null if there is none. */
  retrySeconds: number | null;
  status: number | null;
  error: string | null;
  durationMs: number;
  answer: string | null;
  hasTimedOut: boolean;
  isSlow: boolean;
  /** The receiver wants no more. */
  isGone: boolean;
  /** A failure that counts against the webhook. */
  counts: boolean;
};

const MAX_DAYS_FAILING = 5;
/** After a first time-out nothing is sent for this long, then for twice as long each time. */
const REST_SECONDS = 5;
const MAX_REST_SECONDS = 300;

/**
 * Records an attempt at a delivery, and what it means for the webhook: failing since when, slow,
 * resting, or switched off. Fenced by the number of attempts: a process that has lost the job meanwhile
 * records nothing over the attempt of another.
 */
export async function recordAttempt(
  sql: SqlClient,
  { id, attempts }: { id: string; attempts: number },
  outcome: AttemptOutcome,
): Promise<void> {
  const { state, retrySeconds, status, error, durationMs, answer } = outcome;
  const { hasTimedOut, isSlow, isGone, counts } = outcome;
  const isDone = error === null;
  await sql`
    with attempted as (
      update webhook_deliveries set state = ${state}, attempts = attempts + 1,
        next_at = clock_timestamp() + ${retrySeconds}::float8 * interval '1 second',
        tried_at = clock_timestamp(), status = ${status}, error = ${error},
        duration_ms = ${durationMs}, answer = ${answer},
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
        * least(${MAX_REST_SECONDS}::float8,
          ${REST_SECONDS}::float8 * 2 ^ least(judged.slow_attempts, 10)) end,
      is_active = w.is_active and judged.reason is null,
      disabled_reason = case when w.is_active then judged.reason else w.disabled_reason end
    from judged where w.id = judged.id`;
}

const KEPT_DAYS = 30;
/** About how many finished deliveries of each webhook are kept. */
const KEPT_ROWS = 10_000;

/** @returns how many deliveries of more than 30 days ago it deleted; ids grow with age */
export async function deleteOldDeliveries(sql: SqlClient, limit: number): Promise<number> {
  const { count } = await sql`
    delete from webhook_deliveries
    where id = any(array(select id from webhook_deliveries order by id limit ${limit}))
      and created_at < statement_timestamp() - ${KEPT_DAYS} * interval '1 day'`;
  return count;
}

/** The newest delivery to delete, of each webhook with more deliveries than are kept. */
export function findSurplusDeliveries(sql: SqlClient): Promise<{ hook_id: string; id: string }[]> {
  return sql<{ hook_id: string; id: string }[]>`
    select w.id as hook_id, d.id from outgoing_webhooks w cross join lateral (
      select id from webhook_deliveries where hook_id = w.id
      order by id desc offset ${KEPT_ROWS} limit 1
    ) d`;
}

/** @returns how many it deleted, up to this id; pending deliveries stay */
export async function pruneDeliveriesUpTo(
  sql: SqlClient,
  webhookId: string,
  id: string,
  limit: number,
): Promise<number> {
  const { count } = await sql`
    delete from webhook_deliveries where id = any(array(
      select id from webhook_deliveries
      where hook_id = ${webhookId} and id <= ${id} and state <> 'pending'
      order by id limit ${limit}
    ))`;
  return count;
}
