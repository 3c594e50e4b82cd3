import { eq, sql } from "drizzle-orm";
import { webhookDeliveries } from "../../database/schema.ts";
import { Refusal } from "../../platform/refusal.ts";
import { MAX_WEBHOOK_TESTS } from "../../wire/limits.ts";
import type { WebhookDelivery } from "../../wire/outgoing-webhooks.ts";
import { TEST_EVENT } from "../../wire/webhook-events.ts";
import { type Caller, createNotFound } from "../shared.ts";
import { attemptDelivery, type OutgoingWebhookDeps, selectDue } from "./attempt.ts";
import { readDelivery } from "./deliveries.ts";
import { readRoomName, serializePayload } from "./payloads.ts";
import { readOutgoingWebhook } from "./webhooks.ts";

type SendTestEvent = (caller: Caller, webhookId: string) => Promise<WebhookDelivery>;

/**
 * Creates the function that sends `webhook.test` to a webhook, once and now, even while it is paused,
 * and returns the delivery with its outcome. A receiver may take 15 seconds: a webhook has one test at
 * a time, and the process a few.
 * @throws Refusal of `readSeat`; `webhook_not_found`, `rate_limited`
 */
export function createTestSender(deps: OutgoingWebhookDeps): SendTestEvent {
  const running = new Set<string>();
  return async (caller, webhookId) => {
    await readOutgoingWebhook(deps.database.db, caller, webhookId);
    if (running.has(webhookId)) {
      throw refuseTest("A test of this webhook is under way. Wait for its outcome.");
    }
    if (running.size >= MAX_WEBHOOK_TESTS) {
      throw refuseTest("Too many webhooks are being tested. Try again in a moment.");
    }
    running.add(webhookId);
    try {
      return await sendTestEvent(deps, caller, webhookId);
    } finally {
      running.delete(webhookId);
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
  if (!room) throw createNotFound();
  const id = Bun.randomUUIDv7();
  await db.insert(webhookDeliveries).values({
    id,
    webhookId,
    event: TEST_EVENT,
    body: serializePayload({ type: TEST_EVENT, data: { room } }, new Date()),
    // Due only after this attempt: if the process dies meanwhile, the dispatcher delivers it.
    nextAt: sql`clock_timestamp() + interval '1 minute'`,
  });
  const [due] = await selectDue(db).where(eq(webhookDeliveries.id, id));
  if (!due) throw createNotFound();
  await attemptDelivery(deps, due, undefined, true);
  return readDelivery(db, webhookId, id);
}

function refuseTest(detail: string): Refusal {
  return new Refusal("rate_limited", detail, { retryAfter: 5 });
}
