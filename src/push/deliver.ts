import type { Drizzle, SqlClient } from "../database/connect.ts";
import { type JobContext, RetryLaterError } from "../jobs-queue/job.ts";
import type { JobPayloads } from "../jobs-queue/kinds.ts";
import type { Egress } from "../platform/egress/egress.ts";
import { getLogger } from "../platform/log.ts";
import { payloadOf, type Told } from "./payload.ts";
import { type PushQueue, queueRest, queueRetries, type Retry, RETRY_ATTEMPTS } from "./queue.ts";
import { NEWS_SECONDS, type Recipient, readRecipients, readTold } from "./recipients.ts";
import type { Delivery, Manner } from "./send.ts";
import type { PushServices } from "./services.ts";
import type { Vapid } from "./vapid.ts";

const log = getLogger("push");

export type PushDeps = {
  db: Drizzle;
  sql: SqlClient;
  egress: Egress;
  services: PushServices;
  /** The site's keys; null where push is off. */
  vapid(): Promise<Vapid | null>;
  queue: Pick<PushQueue, "wake">;
};

/** Subscriptions that are read at a time. */
const PAGE = 200;
/** Of a message, pushes that wait or are under way; past them no more subscriptions are read. */
const MAX_PENDING = 1_000;
const FIRST_DELAY_SECONDS = 15;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

/**
 * Tells everyone of a message who is to be told. Those whose push service could not take it are
 * tried again one by one, so that nobody else hears of it twice. Where the process stops, what is left
 * is queued for another.
 */
export async function tellAll(
  deps: PushDeps,
  { messageId, after = FIRST_ID }: JobPayloads["push"],
  { signal, stopping }: Pick<JobContext, "signal" | "stopping">,
): Promise<void> {
  const { sql } = deps;
  const told = await readTold(sql, messageId);
  const vapid = await deps.vapid();
  if (!told || !vapid) return;
  const tell = teller(deps, vapid, told);
  const cut = AbortSignal.any([signal, stopping]);
  const pending = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let gone: string[] = [];
  let again: Retry[] = [];
  const write = async () => {
    const [ended, retries] = [gone, again];
    [gone, again] = [[], []];
    await forget(sql, ended);
    await queueRetries(sql, messageId, retries);
  };
  const begin = (recipient: Recipient) => {
    const done = tell(recipient, cut)
      .catch((error): Delivery => {
        // Nobody knows whether it was taken: it is sent once more.
        if (stopping.aborted && !signal.aborted) {
          return { type: "later", reason: "the process stops", seconds: null };
        }
        throw error;
      })
      .then((delivery) => {
        if (delivery.type === "gone") gone.push(recipient.id);
        if (delivery.type === "later") again.push(toRetry(recipient, delivery.seconds));
      })
      .catch((error) => failures.push(error))
      .then(() => void pending.delete(done));
    pending.add(done);
  };
  while (failures.length === 0) {
    const page = await readRecipients(sql, messageId, { after, limit: PAGE });
    for (const recipient of page) {
      if (recipient.waits) again.push(toRetry(recipient, null));
      else begin(recipient);
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) break;
    after = last.id;
    if (stopping.aborted) {
      await queueRest(sql, messageId, after);
      break;
    }
    while (pending.size > MAX_PENDING) await Promise.race(pending);
    await write();
  }
  await Promise.all(pending);
  if (failures.length > 0) throw failures[0];
  await write();
}

/**
 * Tells one whose push service could not take it before, if that is still to be.
 * @throws RetryLaterError if it still cannot; the last try gives up without a word to administrators,
 * to whom a push service that is down is no news
 */
export async function tellAgain(
  deps: PushDeps,
  { messageId, subscriptionId }: { messageId: string; subscriptionId: string },
  { signal, attempt }: JobContext,
): Promise<void> {
  const { sql } = deps;
  const told = await readTold(sql, messageId);
  const vapid = await deps.vapid();
  const only = { after: FIRST_ID, only: subscriptionId, limit: 1 };
  const [recipient] = told && vapid ? await readRecipients(sql, messageId, only) : [];
  if (!told || !vapid || !recipient) return;
  const delivery = await teller(deps, vapid, told)(recipient, signal);
  if (delivery.type === "gone") await forget(sql, [recipient.id]);
  if (delivery.type !== "later") return;
  if (attempt >= RETRY_ATTEMPTS) log.warn("A push was given up.", { reason: delivery.reason });
  else throw new RetryLaterError(delivery.reason, delivery.seconds ?? 0);
}

/** @returns how to tell one recipient: what is sent is the same for all, but for who is mentioned */
function teller({ services }: PushDeps, vapid: Vapid, told: Told) {
  const payloads = new Map<boolean, string>();
  return async (recipient: Recipient, signal: AbortSignal): Promise<Delivery> => {
    const { mentioned } = recipient;
    const payload = payloads.get(mentioned) ?? payloadOf(told, mentioned);
    payloads.set(mentioned, payload);
    const manner = mannerOf(told, mentioned);
    const delivery = await services.send(vapid, recipient, payload, manner, signal);
    // Without the endpoint: whoever has it can send to it.
    if (delivery.type === "refused") log.warn("A push was refused.", { reason: delivery.reason });
    return delivery;
  };
}

/** A later message of a room takes the place of an earlier one, but not of a mention. */
function mannerOf(told: Told, mentioned: boolean): Manner {
  const room = Buffer.from(told.roomId.replaceAll("-", ""), "hex").toString("base64url");
  return mentioned
    ? { ttl: NEWS_SECONDS, urgency: "high", topic: `${room}m` }
    : { ttl: NEWS_SECONDS, urgency: "normal", topic: room };
}

function toRetry({ id, key }: Recipient, seconds: number | null): Retry {
  return { key, subscriptionId: id, seconds: Math.max(seconds ?? 0, FIRST_DELAY_SECONDS) };
}

/** Forgets subscriptions that their push services know no more. */
export async function forget(sql: SqlClient, ids: string[]): Promise<void> {
  if (ids.length > 0) await sql`delete from push_subscriptions where id = any(${ids}::uuid[])`;
}
