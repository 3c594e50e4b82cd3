import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { Query, SqlClient } from "../../database/connect.ts";
import { outgoingWebhooks, webhookDeliveries } from "../../database/schema.ts";
import { decodeIdCursor, toPage } from "../../platform/input/cursor.ts";
import { LARGEST_ID } from "../../platform/ids.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { WebhookDelivery } from "../../wire/webhooks.ts";
import type { Page } from "../../wire/models.ts";
import type { PageQuery } from "../../wire/queries.ts";
import { type Caller, makeWebhookNotFoundRefusal } from "../shared.ts";
import {
  attemptDelivery,
  enqueueDueWebhooks,
  type OutgoingWebhookDeps,
  selectDue,
} from "./deliver.ts";
import { lockOutgoingWebhook, readOutgoingWebhook } from "./webhooks.ts";
import { MAX_WEBHOOK_TESTS } from "../../wire/limits.ts";
import { TEST_EVENT } from "../../wire/webhook-events.ts";
import { readRoomName, serializePayload } from "./payloads.ts";

/**
 * Lists a webhook's deliveries, the newest first.
 * @throws Refusal of `requireMembership`; `webhook_not_found`
 */
export async function listDeliveries(
  db: Query,
  caller: Caller,
  webhookId: string,
  { cursor, limit }: PageQuery,
): Promise<Page<WebhookDelivery>> {
  await readOutgoingWebhook(db, caller, webhookId);
  const before = decodeIdCursor(cursor) ?? LARGEST_ID;
  const rows = await db
    .select()
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, webhookId), lt(webhookDeliveries.id, before)))
    .orderBy(desc(webhookDeliveries.id))
    .limit(limit + 1);
  return toPage(rows, limit, ({ id }) => id, toDelivery);
}

async function readDelivery(tx: Query, webhookId: string, id: string): Promise<WebhookDelivery> {
  const [row] = await tx
    .select()
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.webhookId, webhookId)));
  if (!row) throw new Refusal("delivery_not_found", "This webhook has no such delivery.");
  return toDelivery(row);
}

/**
 * Makes a delivery due now, with the same id. A pending delivery keeps its number of attempts; a
 * finished one starts again.
 * @throws Refusal of `readMembership`; `webhook_not_found`, `delivery_not_found`, `webhook_paused`
 */
export async function retryDelivery(
  { database }: OutgoingWebhookDeps,
  caller: Caller,
  webhookId: string,
  deliveryId: string,
): Promise<WebhookDelivery> {
  const { db } = database;
  const webhook = await readOutgoingWebhook(db, caller, webhookId);
  await readDelivery(db, webhookId, deliveryId);
  if (!webhook.is_active) {
    throw new Refusal("webhook_paused", "This webhook is paused. Resume it first.");
  }
  await db.transaction(async (tx) => {
    await tx
      .update(webhookDeliveries)
      .set({
        attempts: sql`case when ${webhookDeliveries.state} = 'pending'
          then ${webhookDeliveries.attempts} else 0 end`,
        state: "pending",
        // Truncated, since the column would round up, and it must be due now.
        nextAt: sql`date_trunc('milliseconds', clock_timestamp())`,
        deliveredAt: null,
      })
      .where(eq(webhookDeliveries.id, deliveryId));
    // A person has requested the delivery, so a cooldown after a timeout ends.
    await tx
      .update(outgoingWebhooks)
      .set({ pausedUntil: null })
      .where(eq(outgoingWebhooks.id, webhookId));
  });
  await enqueueDueWebhooks(database);
  return readDelivery(db, webhookId, deliveryId);
}

type DeliveryRow = typeof webhookDeliveries.$inferSelect;

/** A delivery as the room's owner and admins see it. */
function toDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    id: row.id,
    event: row.event,
    state: row.state,
    attempts: row.attempts,
    next_at: row.nextAt?.toISOString() ?? null,
    tried_at: row.triedAt?.toISOString() ?? null,
    status: row.status,
    error: row.error,
    duration_ms: row.durationMs,
    body: row.body,
    answer: row.response,
    created_at: row.createdAt.toISOString(),
    delivered_at: row.deliveredAt?.toISOString() ?? null,
  };
}

type SendTestEvent = (caller: Caller, webhookId: string) => Promise<WebhookDelivery>;

/**
 * Creates the function that sends `webhook.test` to a webhook once, even if it is paused, and
 * returns the delivery with its outcome. Since a receiver may take 15 seconds, the process runs a
 * few tests at a time, and one for each webhook.
 * @throws Refusal of `readMembership`; `webhook_not_found`, `rate_limited`
 */
export function createTestSender(deps: OutgoingWebhookDeps): SendTestEvent {
  const runningIds = new Set<string>();
  return async (caller, webhookId) => {
    await readOutgoingWebhook(deps.database.db, caller, webhookId);
    if (runningIds.has(webhookId)) {
      throw makeTestRefusal("A test of this webhook is already running.");
    }
    if (runningIds.size >= MAX_WEBHOOK_TESTS) {
      throw makeTestRefusal("Too many webhooks are being tested. Try again in a moment.");
    }
    runningIds.add(webhookId);
    try {
      return await sendTestEvent(deps, caller, webhookId);
    } finally {
      runningIds.delete(webhookId);
    }
  };
}

async function sendTestEvent(
  deps: OutgoingWebhookDeps,
  caller: Caller,
  webhookId: string,
): Promise<WebhookDelivery> {
  const { db } = deps.database;
  const room = await readRoomName(db, caller.roomId);
  if (!room) throw makeWebhookNotFoundRefusal();
  const id = Bun.randomUUIDv7();
  await db.transaction(async (tx) => {
    await lockOutgoingWebhook(tx, webhookId);
    await tx.insert(webhookDeliveries).values({
      id,
      webhookId,
      event: TEST_EVENT,
      body: serializePayload({ type: TEST_EVENT, data: { room } }, new Date()),
      // Due only after this attempt: if the process dies, the dispatcher delivers it.
      nextAt: sql`clock_timestamp() + interval '1 minute'`,
    });
  });
  const [delivery] = await selectDue(db).where(eq(webhookDeliveries.id, id));
  if (!delivery) throw makeWebhookNotFoundRefusal();
  await attemptDelivery(deps, delivery, undefined, true);
  return readDelivery(db, webhookId, id);
}

function makeTestRefusal(detail: string): Refusal {
  return new Refusal("rate_limited", detail, { retryAfter: 5 });
}

const KEPT_DAYS = 30;
/** About how many finished deliveries each webhook keeps. */
const KEPT_ROWS = 10_000;

/** @returns how many deliveries it deleted: those older than 30 days; ids sort by age */
export async function deleteOldDeliveries(sql: SqlClient, limit: number): Promise<number> {
  const { count } = await sql`
    delete from webhook_deliveries
    where id = any(array(select id from webhook_deliveries order by id limit ${limit}))
      and created_at < statement_timestamp() - ${KEPT_DAYS} * interval '1 day'`;
  return count;
}

/** Finds the newest delivery to delete of each webhook with too many. */
export function findSurplusDeliveries(sql: SqlClient): Promise<{ hook_id: string; id: string }[]> {
  return sql<{ hook_id: string; id: string }[]>`
    select w.id as hook_id, d.id from outgoing_webhooks w cross join lateral (
      select id from webhook_deliveries where hook_id = w.id
      order by id desc offset ${KEPT_ROWS} limit 1
    ) d`;
}

/** Keeps pending deliveries. @returns how many were deleted */
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
