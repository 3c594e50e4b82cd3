import { jsonText, route } from "../../routing/route.ts";
import { Page } from "../../wire/models.ts";
import { PageQuery } from "../../wire/queries.ts";
import {
  CreateOutgoingWebhook,
  OutgoingWebhook,
  OutgoingWebhookWithSecret,
  UpdateOutgoingWebhook,
  WebhookDelivery,
} from "../../wire/outgoing-webhooks.ts";
import { callerOf } from "../shared.ts";
import type { OutgoingWebhookDeps } from "./attempt.ts";
import { createDeliveryTexts, listDeliveries, retryDelivery } from "./deliveries.ts";
import { createTestSender } from "./test-event.ts";
import {
  createOutgoingWebhook,
  deleteOutgoingWebhook,
  listOutgoingWebhooks,
  rotateSigningSecret,
  updateOutgoingWebhook,
} from "./webhooks.ts";

/**
 * Outgoing webhooks, for a room's owner and admins. Deliveries hold messages, so a bot's token must
 * allow reading messages.
 */
export const outgoingWebhookRoutes = (deps: OutgoingWebhookDeps) => {
  const { db } = deps.database;
  const sendTestEvent = createTestSender(deps);
  const texts = createDeliveryTexts();
  return [
    route("GET /api/rooms/:id/outgoing-webhooks", {
      access: "read:messages",
      room: "admin",
      summary: "List a room's outgoing webhooks",
      query: PageQuery,
      answers: { 200: Page(OutgoingWebhook) },
      run: (call) => listOutgoingWebhooks(deps.database, callerOf(call), call.query),
    }),
    route("POST /api/rooms/:id/outgoing-webhooks", {
      access: "read:messages",
      room: "admin",
      summary: "Create an outgoing webhook; its secret is shown in this answer alone",
      body: CreateOutgoingWebhook,
      answers: { 201: OutgoingWebhookWithSecret },
      errors: ["too_many_webhooks", "target_not_allowed"],
      run: (call) => createOutgoingWebhook(deps, callerOf(call), call.body),
    }),
    route("PATCH /api/rooms/:id/outgoing-webhooks/:hook_id", {
      access: "read:messages",
      room: "admin",
      summary: "Change an outgoing webhook, pause it or resume it",
      body: UpdateOutgoingWebhook,
      answers: { 200: OutgoingWebhook },
      errors: ["webhook_not_found", "target_not_allowed"],
      run: (call) => updateOutgoingWebhook(deps, callerOf(call), call.params.hook_id, call.body),
    }),
    route("DELETE /api/rooms/:id/outgoing-webhooks/:hook_id", {
      access: "read:messages",
      room: "admin",
      summary: "Delete an outgoing webhook",
      answers: { 204: null },
      errors: ["webhook_not_found"],
      run: (call) => deleteOutgoingWebhook(db, callerOf(call), call.params.hook_id),
    }),
    route("POST /api/rooms/:id/outgoing-webhooks/:hook_id/test", {
      access: "read:messages",
      room: "admin",
      summary: "Send `webhook.test` and wait for the outcome",
      description:
        "A webhook has one test at a time, and an instance a few: one more is refused with 429.",
      answers: { 200: WebhookDelivery },
      errors: ["webhook_not_found", "rate_limited"],
      run: (call) => sendTestEvent(callerOf(call), call.params.hook_id),
    }),
    route("POST /api/rooms/:id/outgoing-webhooks/:hook_id/rotate-secret", {
      access: "read:messages",
      room: "admin",
      summary: "Make a new secret; the previous one signs beside it for a day",
      answers: { 200: OutgoingWebhookWithSecret },
      errors: ["webhook_not_found"],
      run: (call) => rotateSigningSecret(deps, callerOf(call), call.params.hook_id),
    }),
    route("GET /api/rooms/:id/outgoing-webhooks/:hook_id/deliveries", {
      access: "read:messages",
      room: "admin",
      summary: "List deliveries with their answers",
      query: PageQuery,
      answers: { 200: Page(WebhookDelivery) },
      errors: ["webhook_not_found"],
      run: async (call) => {
        const { params, query } = call;
        return jsonText(
          await listDeliveries(deps.database, texts, callerOf(call), params.hook_id, query),
        );
      },
    }),
    route("POST /api/rooms/:id/outgoing-webhooks/:hook_id/deliveries/:delivery_id/redeliver", {
      access: "read:messages",
      room: "admin",
      summary: "Send a delivery again, with the same id",
      answers: { 200: WebhookDelivery },
      errors: ["webhook_not_found", "delivery_not_found", "webhook_paused"],
      run: (call) =>
        retryDelivery(deps, callerOf(call), call.params.hook_id, call.params.delivery_id),
    }),
  ];
};
