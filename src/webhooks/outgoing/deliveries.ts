import { and, desc, eq, exists, lt, sql } from "drizzle-orm";
import type { Database, Query } from "../../database/connect.ts";
import { type Params, prepareQuery } from "../../database/prepared.ts";
import { outgoingWebhooks, webhookDeliveries } from "../../database/schema.ts";
import { VersionedTexts } from "../../database/versioned-texts.ts";
import { decodeIdCursor, LARGEST_ID } from "../../platform/cursor.ts";
import { Refusal } from "../../platform/refusal.ts";
import { checkSeat } from "../../rooms/access.ts";
import type { WebhookDelivery } from "../../wire/outgoing-webhooks.ts";
import type { PageQuery } from "../../wire/queries.ts";
import type { Caller } from "../shared.ts";
import type { OutgoingWebhookDeps } from "./attempt.ts";
import { enqueueDueWebhooks } from "./dispatcher.ts";
import { toDelivery } from "./models.ts";
import { readOutgoingWebhook } from "./webhooks.ts";

/** A delivery's JSON is its body and about 500 characters. */
const MAX_CACHED = 2_000;

/** JSON of deliveries, which change with each attempt. */
export const createDeliveryTexts = () => new VersionedTexts(MAX_CACHED);

const selectHeads = prepareQuery(
  "list_deliveries",
  (db, params: Params<{ roomId: string; webhookId: string; before: string; limit: number }>) => {
    const webhook = db
      .select({ id: outgoingWebhooks.id })
      .from(outgoingWebhooks)
      .where(
        and(eq(outgoingWebhooks.id, params.webhookId), eq(outgoingWebhooks.roomId, params.roomId)),
      );
    return db
      .select({ id: webhookDeliveries.id, version: sql<string>`xmin` })
      .from(webhookDeliveries)
      .where(
        and(
          eq(webhookDeliveries.webhookId, params.webhookId),
          lt(webhookDeliveries.id, params.before),
          exists(webhook),
        ),
      )
      .orderBy(desc(webhookDeliveries.id))
      .limit(params.limit);
  },
);

const selectDeliveries = prepareQuery("read_deliveries", (db, params: Params<{ ids: string[] }>) =>
  db
    .select()
    .from(webhookDeliveries)
    .where(sql`${webhookDeliveries.id} = any(${params.ids}::uuid[])`),
);

/**
 * A webhook's deliveries, the newest first.
 * @returns the JSON of a page of `WebhookDelivery`
 * @throws Refusal of `checkSeat`; `webhook_not_found`
 */
export async function listDeliveries(
  { db, sql: client }: Database,
  texts: VersionedTexts,
  caller: Caller,
  webhookId: string,
  { cursor, limit }: PageQuery,
): Promise<string> {
  const { actorId, roomId } = caller;
  await checkSeat(client, actorId, roomId, "admin");
  const before = decodeIdCursor(cursor) ?? LARGEST_ID;
  const heads = await selectHeads(db, { roomId, webhookId, before, limit: limit + 1 });
  // Without a row the webhook may not be there, or not in this room.
  if (heads.length === 0) await readOutgoingWebhook(db, caller, webhookId);
  return texts.renderPage(
    heads,
    limit,
    ({ id }) => id,
    async (ids) => (await selectDeliveries(db, { ids })).map(toDelivery),
  );
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
