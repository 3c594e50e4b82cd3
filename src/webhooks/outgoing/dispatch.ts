import type { SqlClient } from "../../database/connect.ts";
import { insertJobs } from "../../jobs-queue/statements.ts";
import { getLogger } from "../../platform/log.ts";
import { Shares } from "../../platform/shares.ts";
import { MAX_PENDING } from "./read-on.ts";

const log = getLogger("webhooks");

/** It looks by itself so often: whatever was not heard is found. */
const SWEEP_MS = 5_000;
/** While something is due that a job may just have missed. */
const AGAIN_MS = 1_000;
/** Between two looks, and at least so many times what a look took. */
const REST_MS = 200;
const REST_TIMES = 20;

/** Webhooks that are sent to at a time, on all instances together. */
const PLACES = 64;
/** Of these, for webhooks whose receivers were slow the last time. */
const SLOW_PLACES = 16;

/** The key of the one job that sends for a webhook. */
export const jobKey = (hookId: string) => `hook:${hookId}`;

type Behind = {
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
 * Queues a job for each webhook for which something is due: its room's log has grown past its place,
 * or a delivery's time has come. All of that is in the database, so nothing is lost with a process.
 * @returns milliseconds until something may be due next
 */
export async function queueDue(sql: SqlClient): Promise<number> {
  // The same form of key as `jobKey`.
  const behind = await sql<Behind[]>`
    select h.id, h.room_id, h.created_by, h.url, h.slow_attempts > 0 as is_slow,
      j.id is not null as is_queued,
      (h.resting_until <= statement_timestamp()) is not false
        and (b.is_behind or d.next_at <= statement_timestamp() is true) as is_due,
      extract(epoch from greatest(case when not b.is_behind then d.next_at end, h.resting_until)
        - statement_timestamp())::float8 as in_seconds
    from outgoing_webhooks h join rooms r on r.id = h.room_id
    left join lateral (
      select next_at from webhook_deliveries
      where hook_id = h.id and state = 'pending' order by next_at limit 1
    ) d on true
    cross join lateral (
      select h.after_seq < r.last_seq and not exists (
        select from webhook_deliveries where hook_id = h.id and state = 'pending'
        offset ${MAX_PENDING - 1}
      ) as is_behind
    ) b
    left join jobs j on j.unique_key = 'hook:' || h.id and j.failed_at is null
    where h.is_active and (b.is_behind or d.next_at is not null)
    order by h.slow_attempts > 0, d.next_at nulls first`;
  const due = behind.filter((hook) => hook.is_due);
  await insertJobs(
    sql,
    "webhook_events",
    admit(due).map(({ id }) => ({ payload: { hookId: id }, key: jobKey(id) })),
  );
  if (due.length > 0) return AGAIN_MS;
  const next = behind.map(({ in_seconds }) => (in_seconds ?? SWEEP_MS / 1_000) * 1_000);
  return Math.max(0, Math.min(SWEEP_MS, ...next));
}

/**
 * Those of the due webhooks that may be sent to now. However many receivers hang, each host, room and
 * person gets no more than its share, and what was slow gets a part of the places only.
 * @param due in the order in which they are to be considered
 */
function admit(due: Behind[]): Behind[] {
  const places = new Shares(PLACES);
  let slow = 0;
  const keysOf = ({ room_id, created_by, url }: Behind) => [
    `room ${room_id}`,
    `user ${created_by}`,
    `host ${URL.parse(url)?.host}`,
  ];
  for (const hook of due.filter(({ is_queued }) => is_queued)) {
    places.take(keysOf(hook));
    if (hook.is_slow) slow += 1;
  }
  return due.filter((hook) => {
    if (hook.is_queued || (hook.is_slow && slow >= SLOW_PLACES)) return false;
    if (!places.tryTake(keysOf(hook))) return false;
    if (hook.is_slow) slow += 1;
    return true;
  });
}

/**
 * Looks for webhooks with something to send: when rooms' logs are said to have grown, when the next
 * retry is due, and every few seconds. Messages pay nothing for webhooks: nobody writes for them
 * what the logs say anyway.
 */
export class Dispatch {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #at = Number.POSITIVE_INFINITY;
  #restUntil = 0;
  #looking: Promise<void> | null = null;
  #again = false;
  #stopped = false;

  constructor(readonly sql: SqlClient) {}

  /** Something may be due. */
  wake(): void {
    if (this.#looking) this.#again = true;
    else this.#plan(0);
  }

  /** Waits for a look that is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#looking;
  }

  #plan(ms: number): void {
    const now = performance.now();
    const at = Math.max(this.#restUntil, now + ms);
    if (this.#stopped || at >= this.#at) return;
    clearTimeout(this.#timer);
    this.#at = at;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look();
    }, at - now);
  }

  async #look(): Promise<void> {
    this.#at = Number.POSITIVE_INFINITY;
    this.#again = false;
    const started = performance.now();
    let next = SWEEP_MS;
    try {
      next = await queueDue(this.sql);
    } catch (error) {
      log.warn("The webhooks could not be looked through.", { error: String(error) });
    }
    const took = performance.now() - started;
    this.#restUntil = performance.now() + Math.max(REST_MS, REST_TIMES * took);
    this.#looking = null;
    this.#plan(this.#again ? 0 : next);
  }
}
