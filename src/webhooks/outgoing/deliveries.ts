import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { Query } from "../../database/connect.ts";
import { outgoingWebhooks, webhookDeliveries } from "../../database/schema.ts";
import { decodeIdCursor, toPage } from "../../platform/cursor.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { Page } from "../../wire/models.ts";
import type { WebhookDelivery } from "../../wire/outgoing-webhooks.ts";
import type { PageQuery } from "../../wire/queries.ts";
import type { Caller } from "../shared.ts";
import type { OutgoingWebhookDeps } from "./attempt.ts";
import { enqueueDueWebhooks } from "./dispatcher.ts";
import { toDelivery } from "./models.ts";
import { readOutgoingWebhook } from "./webhooks.ts";

/**
 * A webhook's deliveries, the newest first.
 * @throws Refusal of `readSeat`; `webhook_not_found`
 */
export async function listDeliveries(
  tx: Query,
  caller: Caller,
  webhookId: string,
  query: PageQuery,
): Promise<Page<WebhookDelivery>> {
  await readOutgoingWebhook(tx, caller, webhookId);
  const before = decodeIdCursor(query.cursor);
  const rows = await tx
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.webhookId, webhookId),
        before === null ? undefined : lt(webhookDeliveries.id, before),
      ),
    )
    .orderBy(desc(webhookDeliveries.id))
    .limit(query.limit + 1);
  return toPage(rows, query.limit, (row) => row.id, toDelivery);
}

/** @throws Refusal `delivery_not_found` */
export async function readDelivery(
  tx: Query,
  webhookId: string,
  id: string,
): Promise<WebhookDelivery> {
  const [row] = await tx
    .select()
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.webhookId, webhookId)));
  if (!row) throw new Refusal("delivery_not_found", "This webhook has no such delivery.");
  return toDelivery(row);
}

/**
 * Makes a delivery due now, under its id: a pending one keeps its count of attempts, a finished one
 * starts from the first.
 * @throws Refusal of `readSeat`; `webhook_not_found`, `delivery_not_found`, `webhook_paused`
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
    throw new Refusal("webhook_paused", "This webhook is paused. Resume it, then send it again.");
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
    // A person asks for it now, so a rest after a time-out is over.
    await tx
      .update(outgoingWebhooks)
      .set({ restingUntil: null })
      .where(eq(outgoingWebhooks.id, webhookId));
  });
  await enqueueDueWebhooks(database.sql);
  return readDelivery(db, webhookId, deliveryId);
}
