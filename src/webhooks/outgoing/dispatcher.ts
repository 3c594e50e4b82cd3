import type { SqlClient } from "../../database/connect.ts";
import type { Peers } from "../../feed/peers.ts";
import { insertJobs } from "../../jobs-queue/statements.ts";
import { getLogger } from "../../platform/log.ts";
import { Shares } from "../../platform/shares.ts";
import { MAX_PENDING } from "./backlog.ts";
import { findPendingWebhooks, type PendingWebhook } from "./statements.ts";

const log = getLogger("webhooks");

/** The longest time between two checks, so that a lost notification costs seconds. */
const SWEEP_MS = 5_000;
/** While something is due that a job may just have missed. */
const AGAIN_MS = 1_000;
/** The shortest time between two checks, in milliseconds and in multiples of what a check took. */
const MIN_INTERVAL_MS = 200;
const MIN_INTERVAL_TIMES = 20;

/** Webhooks that are delivered to at a time, on all instances together. */
const MAX_WEBHOOKS = 64;
/** How many of them may have a receiver that was slow at its last attempt. */
const MAX_SLOW_WEBHOOKS = 16;

/** The key of a webhook's one job; `findPendingWebhooks` builds the same. */
export const jobKeyOf = (webhookId: string) => `hook:${webhookId}`;

/**
 * Queues a job for each webhook for which something is due: its room's log has grown past its
 * position, or a delivery's time has come. All of that is in the database and survives a process.
 * @returns milliseconds until something may be due next
 */
export async function enqueueDueWebhooks(sql: SqlClient): Promise<number> {
  const pending = await findPendingWebhooks(sql, MAX_PENDING);
  const due = pending.filter((webhook) => webhook.is_due);
  await insertJobs(
    sql,
    "webhook_events",
    chooseWebhooks(due).map(({ id }) => ({ payload: { hookId: id }, key: jobKeyOf(id) })),
  );
  if (due.length > 0) return AGAIN_MS;
  const next = pending.map(({ in_seconds }) => (in_seconds ?? SWEEP_MS / 1_000) * 1_000);
  return Math.max(0, Math.min(SWEEP_MS, ...next));
}

/**
 * The due webhooks that get a place now. However many receivers hang, each host, room and person gets
 * no more than its share, and slow receivers only a part of the places.
 * @param due in the order in which they get a place
 */
function chooseWebhooks(due: PendingWebhook[]): PendingWebhook[] {
  const places = new Shares(MAX_WEBHOOKS);
  let slow = 0;
  const keysOf = ({ room_id, created_by, url }: PendingWebhook) => [
    `room ${room_id}`,
    `user ${created_by}`,
    `host ${URL.parse(url)?.host}`,
  ];
  for (const webhook of due.filter(({ is_queued }) => is_queued)) {
    places.take(keysOf(webhook));
    if (webhook.is_slow) slow += 1;
  }
  return due.filter((webhook) => {
    if (webhook.is_queued || (webhook.is_slow && slow >= MAX_SLOW_WEBHOOKS)) return false;
    if (!places.tryTake(keysOf(webhook))) return false;
    if (webhook.is_slow) slow += 1;
    return true;
  });
}

/**
 * Checks for webhooks with something to deliver: when rooms' logs have grown, when the next retry is
 * due, and every few seconds. Posting a message writes nothing for webhooks: the logs say it all. Of
 * several instances the oldest checks for all, and the others every few seconds, in case it has ended.
 *
 * Not a `Coalescer`: its rest depends on how long the last check took, and an earlier plan replaces a
 * later one.
 */
export class Dispatcher {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #nextAt = Number.POSITIVE_INFINITY;
  #earliestAt = 0;
  #checking: Promise<void> | null = null;
  #checkAgain = false;
  #isStopped = false;

  constructor(
    readonly sql: SqlClient,
    readonly peers: Pick<Peers, "isOldest">,
  ) {}

  /** Rooms' logs have grown. */
  noteGrowth(): void {
    if (this.peers.isOldest) this.wake();
  }

  /** Checks soon: something may be due. */
  wake(): void {
    if (this.#checking) this.#checkAgain = true;
    else this.#schedule(0);
  }

  /** Waits for a check that is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#checking;
  }

  #schedule(ms: number): void {
    const now = performance.now();
    const at = Math.max(this.#earliestAt, now + ms);
    if (this.#isStopped || at >= this.#nextAt) return;
    clearTimeout(this.#timer);
    this.#nextAt = at;
    this.#timer = setTimeout(() => {
      this.#checking = this.#check();
    }, at - now);
  }

  async #check(): Promise<void> {
    this.#nextAt = Number.POSITIVE_INFINITY;
    this.#checkAgain = false;
    const started = performance.now();
    let wait = SWEEP_MS;
    try {
      const next = await enqueueDueWebhooks(this.sql);
      if (this.peers.isOldest) wait = next;
    } catch (error) {
      log.warn("Due webhooks could not be queued; retrying.", { error: String(error) });
    }
    const took = performance.now() - started;
    const interval = Math.max(MIN_INTERVAL_MS, MIN_INTERVAL_TIMES * took);
    this.#earliestAt = performance.now() + interval;
    this.#checking = null;
    this.#schedule(this.#checkAgain ? 0 : wait);
  }
}
