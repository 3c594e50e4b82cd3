import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { Query } from "../../database/connect.ts";
import { outgoingWebhooks, webhookDeliveries } from "../../database/schema.ts";
import { decodeIdCursor, page } from "../../platform/cursor.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { Page } from "../../wire/models.ts";
import type { PageQuery } from "../../wire/queries.ts";
import { TEST_EVENT } from "../../wire/webhook-events.ts";
import type { WebhookDelivery } from "../../wire/outgoing-webhooks.ts";
import { bodyOf, readName } from "./bodies.ts";
import { type Due, dueColumns, tryOnce, type WebhookDeps } from "./deliver.ts";
import { queueDue } from "./dispatch.ts";
import { type Caller, getHook, noSuchHook } from "./hooks.ts";
import { toDelivery } from "./models.ts";

/**
 * What was sent to a webhook or is to be, the newest first.
 * @throws Refusal of `readSeat`; `webhook_not_found`
 */
export async function listDeliveries(
  tx: Query,
  caller: Caller,
  hookId: string,
  query: PageQuery,
): Promise<Page<WebhookDelivery>> {
  await getHook(tx, caller, hookId);
  const before = decodeIdCursor(query.cursor);
  const rows = await tx
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.hookId, hookId),
        before === null ? undefined : lt(webhookDeliveries.id, before),
      ),
    )
    .orderBy(desc(webhookDeliveries.id))
    .limit(query.limit + 1);
  const { items, next } = page(rows, query.limit, (row) => row.id);
  return { items: items.map(toDelivery), next };
}

async function getDelivery(tx: Query, hookId: string, id: string): Promise<WebhookDelivery> {
  const [row] = await tx
    .select()
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.hookId, hookId)));
  if (!row) throw new Refusal("delivery_not_found", "This webhook has no such delivery.");
  return toDelivery(row);
}

/**
 * Sends a delivery again, under the id that it had: at once what waits for a retry, from the first
 * try on what has ended.
 * @throws Refusal of `readSeat`; `webhook_not_found`, `delivery_not_found`, `webhook_paused`
 */
export async function redeliver(
  { database }: WebhookDeps,
  caller: Caller,
  hookId: string,
  deliveryId: string,
): Promise<WebhookDelivery> {
  const { db } = database;
  const hook = await getHook(db, caller, hookId);
  await getDelivery(db, hookId, deliveryId);
  if (!hook.is_active) {
    throw new Refusal("webhook_paused", "This webhook is paused. Resume it, then send it again.");
  }
  await db.transaction(async (tx) => {
    await tx
      .update(webhookDeliveries)
      .set({
        attempts: sql`case when ${webhookDeliveries.state} = 'pending'
          then ${webhookDeliveries.attempts} else 0 end`,
        state: "pending",
        // Cut, since the column would round: it must be due to who is woken now.
        nextAt: sql`date_trunc('milliseconds', clock_timestamp())`,
        deliveredAt: null,
      })
      .where(eq(webhookDeliveries.id, deliveryId));
    // Someone asks for it now: a rest after a time-out is over.
    await tx
      .update(outgoingWebhooks)
      .set({ restingUntil: null })
      .where(eq(outgoingWebhooks.id, hookId));
  });
  await queueDue(database.sql);
  return getDelivery(db, hookId, deliveryId);
}

/**
 * Sends a webhook something harmless, once and now, even while it is paused.
 * @returns the delivery with what came of it
 * @throws Refusal of `readSeat`; `webhook_not_found`
 */
export async function testHook(
  deps: WebhookDeps,
  caller: Caller,
  hookId: string,
): Promise<WebhookDelivery> {
  const { db, sql: hand } = deps.database;
  await getHook(db, caller, hookId);
  const room = await readName(db, caller.roomId);
  if (!room) throw noSuchHook();
  const id = Bun.randomUUIDv7();
  const body = bodyOf({ type: TEST_EVENT, data: { room } }, new Date());
  // Due only once this try is over, should the process not live to see its end: then it is a
  // delivery like any other.
  await hand`
    insert into webhook_deliveries (id, hook_id, event, body, next_at)
    select ${id}, id, ${TEST_EVENT}, ${body}, clock_timestamp() + interval '1 minute'
    from outgoing_webhooks where id = ${hookId}`;
  const [due] = await hand<Due[]>`
    select ${dueColumns(hand)} from webhook_deliveries d
    join outgoing_webhooks h on h.id = d.hook_id where d.id = ${id}`;
  if (!due) throw noSuchHook();
  await tryOnce(deps, due, undefined, true);
  return getDelivery(db, hookId, id);
}
