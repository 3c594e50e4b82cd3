import { and, asc, eq, lte, sql } from "drizzle-orm";
import type { Database, Query } from "../../database/connect.ts";
import { type Params, prepareQuery } from "../../database/prepared.ts";
import { outgoingWebhooks, webhookDeliveries } from "../../database/schema.ts";
import type { JobContext } from "../../jobs-queue/job.ts";
import type { Egress } from "../../platform/egress/egress.ts";
import { UnsealError } from "../../platform/sealed.ts";
import type { ReadKey } from "../../platform/secrets.ts";
import { createDeliveries } from "./backlog.ts";
import { callReceiver, type ReceiverResult } from "./receiver.ts";
import { unsealSigningSecret } from "./secret.ts";
import { recordAttempt } from "./statements.ts";

export type OutgoingWebhookDeps = {
  database: Database;
  egress: Egress;
  readKey: ReadKey;
  /** For one attempt; 15 seconds if left out. */
  timeoutMs?: number;
};

/** After the first attempt, the second, …: Standard Webhooks' own schedule. */
const RETRY_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
/** Retries come later by up to this part of the delay, so that deliveries that failed together spread. */
const JITTER = 0.2;
/** A webhook whose deliveries take longer than this waits for its next turn. */
const TURN_MS = 30_000;
/** A receiver that takes longer to answer is slow. */
const SLOW_MS = 3_000;

/**
 * Delivers what is due for one webhook, one delivery after the other; a delivery that waits for a
 * retry does not block the next. Then it creates the next deliveries from the room's log. It ends
 * early after a slow attempt, so that another webhook gets the place, and when the process stops.
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
    const [due] = await findNextDue(database.db, { webhookId });
    if (due) {
      const { isSlow } = await attemptDelivery(deps, due, signal);
      if (isSlow) return;
    } else if (!(await createDeliveries(database, webhookId))) return;
  }
}

/** A delivery with what it takes to send it. */
type DueDelivery = Awaited<ReturnType<typeof selectDue>>[number];

/** Deliveries with their webhooks, to be narrowed by `where`. */
export function selectDue(db: Query) {
  const { previousSecret, previousUntil } = outgoingWebhooks;
  return db
    .select({
      id: webhookDeliveries.id,
      body: webhookDeliveries.body,
      attempts: webhookDeliveries.attempts,
      url: outgoingWebhooks.url,
      secret: outgoingWebhooks.secret,
      /** While the previous secret still signs. */
      previousSecret: sql<Buffer | null>`case when ${previousUntil} > statement_timestamp()
        then ${previousSecret} end`,
      /** PostgreSQL's clock, in seconds since 1970. */
      now: sql<number>`floor(extract(epoch from statement_timestamp()))::float8`,
    })
    .from(outgoingWebhooks)
    .innerJoin(webhookDeliveries, eq(webhookDeliveries.webhookId, outgoingWebhooks.id));
}

/** The delivery that has been due for longest: first attempts in the order of the room's log. */
const findNextDue = prepareQuery("next_due_delivery", (db, params: Params<{ webhookId: string }>) =>
  selectDue(db)
    .where(
      and(
        eq(outgoingWebhooks.id, params.webhookId),
        eq(outgoingWebhooks.isActive, true),
        eq(webhookDeliveries.state, "pending"),
        lte(webhookDeliveries.nextAt, sql`statement_timestamp()`),
      ),
    )
    .orderBy(asc(webhookDeliveries.nextAt), asc(webhookDeliveries.seq))
    .limit(1),
);

/**
 * Attempts a delivery and records the outcome.
 * @param isTest attempted once, and a failure does not count against the webhook
 * @returns whether the receiver was slow
 * @throws the reason of `signal` when it is aborted: the delivery stays due
 */
export async function attemptDelivery(
  deps: OutgoingWebhookDeps,
  due: DueDelivery,
  signal?: AbortSignal,
  isTest = false,
): Promise<{ isSlow: boolean }> {
  const result = await signAndSend(deps, due, signal);
  const isDone = result.error === null;
  const isGone = result.status === 410;
  const delay = isTest || isDone || isGone ? undefined : RETRY_SECONDS[due.attempts];
  const isSlow = result.durationMs >= SLOW_MS || result.hasTimedOut;
  await recordAttempt(deps.database.sql, due, {
    ...result,
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
    const sealed = previousSecret ? [secret, previousSecret] : [secret];
    const secrets = sealed.map((one) => unsealSigningSecret(keys, one));
    return await callReceiver(
      egress,
      { id, url, body, secrets, timestamp: now, timeoutMs },
      signal,
    );
  } catch (error) {
    // A retry does not help, but an admin who reads this can set a new secret.
    if (!(error instanceof UnsealError)) throw error;
    return { status: null, error: error.message, durationMs: 0, answer: null, hasTimedOut: false };
  }
}
