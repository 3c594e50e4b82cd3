import type { Database, SqlClient } from "../../database/connect.ts";
import type { JobContext } from "../../jobs-queue/job.ts";
import type { Egress } from "../../platform/egress/egress.ts";
import { UnsealError } from "../../platform/sealed.ts";
import type { ReadKey } from "../../platform/secrets.ts";
import { readOn } from "./read-on.ts";
import { openSecret } from "./secret.ts";
import { type Result, send } from "./send.ts";

export type WebhookDeps = {
  database: Database;
  egress: Egress;
  readKey: ReadKey;
  /** For one attempt; 15 seconds if left out. */
  timeoutMs?: number;
};

/** After the first try, the second, …: Standard Webhooks' own schedule. */
const RETRY_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
/** Retries come later by up to so much of the wait, so that what failed together comes apart. */
const JITTER = 0.2;
const MOST_DAYS_FAILING = 5;
/** A webhook with more to send than this takes waits for its turn again. */
const TURN_MS = 30_000;
/** A receiver that takes longer for an answer is slow. */
const SLOW_MS = 3_000;
/** After a first time-out nothing is sent for so long, then for twice as long each time. */
const REST_SECONDS = 5;
const MAX_REST_SECONDS = 300;

/**
 * Sends what is due for one webhook, one after the other: what waits for a retry lets the next go
 * first. Then it reads on in the room's log. It ends early after an attempt that was slow, which gives
 * others the place, and when the process stops.
 */
export async function deliverDue(
  deps: WebhookDeps,
  hookId: string,
  { signal, stopping }: Pick<JobContext, "signal" | "stopping">,
): Promise<void> {
  const end = performance.now() + TURN_MS;
  while (performance.now() < end && !stopping.aborted) {
    signal.throwIfAborted();
    const due = await nextDue(deps.database.sql, hookId);
    if (due) {
      const { isSlow } = await tryOnce(deps, due, signal);
      if (isSlow) return;
    } else if (!(await readOn(deps.database, hookId))) return;
  }
}

/** A delivery with what it takes to send it. */
export type Due = {
  id: string;
  body: string;
  attempts: number;
  url: string;
  secret: Buffer;
  /** The one before, while it still signs. */
  previous_secret: Buffer | null;
  /** PostgreSQL's clock, in seconds since 1970. */
  now: number;
};

/** The columns of `Due`, for a query over `webhook_deliveries d` joined with `outgoing_webhooks h`. */
export const dueColumns = (sql: SqlClient) => sql`
  d.id, d.body, d.attempts, h.url, h.secret,
  case when h.previous_until > statement_timestamp() then h.previous_secret end as previous_secret,
  floor(extract(epoch from statement_timestamp()))::float8 as now`;

/** What has been due for longest: first tries in the order of the room's log. */
async function nextDue(sql: SqlClient, hookId: string): Promise<Due | null> {
  const [due] = await sql<Due[]>`
    select ${dueColumns(sql)} from outgoing_webhooks h join webhook_deliveries d on d.hook_id = h.id
    where h.id = ${hookId} and h.is_active
      and d.state = 'pending' and d.next_at <= statement_timestamp()
    order by d.next_at, d.seq limit 1`;
  return due ?? null;
}

/**
 * Tries a delivery and writes down what came of it.
 * @param isTest tried once, and its failure says nothing about the webhook
 * @returns whether the receiver was slow
 * @throws the reason of `signal` when it is aborted: the delivery is due as it was
 */
export async function tryOnce(
  deps: WebhookDeps,
  due: Due,
  signal?: AbortSignal,
  isTest = false,
): Promise<{ isSlow: boolean }> {
  const result = await sendSigned(deps, due, signal);
  const isDone = result.error === null;
  const isGone = result.status === 410;
  const wait = isTest || isDone || isGone ? undefined : RETRY_SECONDS[due.attempts];
  const state = isDone ? "delivered" : wait === undefined ? "failed" : "pending";
  const { status, error, durationMs, answer } = result;
  const seconds = (wait ?? 0) * (1 + JITTER * Math.random());
  const counts = !isDone && !isTest;
  const isSlow = durationMs >= SLOW_MS || result.hasTimedOut;
  // Fenced: whoever has lost the job meanwhile writes nothing about a try that another made.
  await deps.database.sql`
    with tried as (
      update webhook_deliveries set state = ${state}, attempts = attempts + 1,
        next_at = case when ${wait !== undefined}
          then clock_timestamp() + ${seconds}::float8 * interval '1 second' end,
        tried_at = clock_timestamp(), status = ${status}, error = ${error},
        duration_ms = ${durationMs}, answer = ${answer},
        delivered_at = case when ${isDone} then clock_timestamp() end
      where id = ${due.id} and state = 'pending' and attempts = ${due.attempts}
      returning hook_id
    ), judged as (
      select h.id, h.failing_since, h.slow_attempts, case
          when ${isGone} then 'It answered 410: it wants no more.'
          when ${counts} and h.failing_since
            < clock_timestamp() - ${MOST_DAYS_FAILING} * interval '1 day'
          then 'Nothing could be delivered for five days.'
        end as reason
      from outgoing_webhooks h join tried on tried.hook_id = h.id
      where ${!isDone || isSlow} or h.failing_since is not null or h.slow_attempts > 0
      for update of h
    )
    update outgoing_webhooks h set
      failing_since = case when ${counts}
        then coalesce(judged.failing_since, clock_timestamp())
        when ${!isDone} then judged.failing_since end,
      slow_attempts = case when ${isSlow} then judged.slow_attempts + 1 else 0 end,
      resting_until = case when ${result.hasTimedOut} then clock_timestamp() + interval '1 second'
        * least(${MAX_REST_SECONDS}::float8,
          ${REST_SECONDS}::float8 * 2 ^ least(judged.slow_attempts, 10)) end,
      is_active = h.is_active and judged.reason is null,
      disabled_reason = case when h.is_active then judged.reason else h.disabled_reason end
    from judged where h.id = judged.id`;
  return { isSlow };
}

async function sendSigned(
  { egress, readKey, timeoutMs }: WebhookDeps,
  due: Due,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const { id, url, body, now } = due;
  try {
    const key = await readKey();
    const sealed = due.previous_secret ? [due.secret, due.previous_secret] : [due.secret];
    const secrets = sealed.map((one) => openSecret(key, one));
    return await send(egress, { id, url, body, secrets, timestamp: now, timeoutMs }, signal);
  } catch (error) {
    // No try can mend it, but someone who sees it can: by a new secret.
    if (!(error instanceof UnsealError)) throw error;
    return { status: null, error: error.message, durationMs: 0, answer: null, hasTimedOut: false };
  }
}
