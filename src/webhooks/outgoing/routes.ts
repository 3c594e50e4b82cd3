import { route } from "../../routing/route.ts";
import { Page } from "../../wire/models.ts";
import { PageQuery } from "../../wire/queries.ts";
import {
  CreateOutgoingWebhook,
  OutgoingWebhook,
  OutgoingWebhookWithSecret,
  UpdateOutgoingWebhook,
  WebhookDelivery,
} from "../../wire/webhooks.ts";
import { callerOf } from "../shared.ts";
import type { OutgoingWebhookDeps } from "./deliver.ts";
import { createTestSender, listDeliveries, retryDelivery } from "./deliveries.ts";
import {
  createOutgoingWebhook,
  deleteOutgoingWebhook,
  listOutgoingWebhooks,
  rotateSigningSecret,
  updateOutgoingWebhook,
} from "./webhooks.ts";

/** Deliveries hold messages, so a bot's token must allow reading messages. */
const ADMINS = { access: "read:messages", room: "admin" } as const;

export const outgoingWebhookRoutes = (deps: OutgoingWebhookDeps) => {
  const { db } = deps.database;
  const sendTestEvent = createTestSender(deps);
  return [
    route("GET /api/rooms/:id/outgoing-webhooks", {
      ...ADMINS,
      summary: "List a room's outgoing webhooks",
      query: PageQuery,
      responses: { 200: Page(OutgoingWebhook) },
      handler: (call) => listOutgoingWebhooks(deps.database, callerOf(call), call.query),
    }),
    route("POST /api/rooms/:id/outgoing-webhooks", {
      ...ADMINS,
      summary: "Create an outgoing webhook, whose secret only this response contains",
      body: CreateOutgoingWebhook,
      responses: { 201: OutgoingWebhookWithSecret },
      errors: ["too_many_webhooks", "target_not_allowed"],
      handler: (call) => createOutgoingWebhook(deps, callerOf(call), call.body),
    }),
    route("PATCH /api/rooms/:id/outgoing-webhooks/:hook_id", {
      ...ADMINS,
      summary: "Change, pause or resume an outgoing webhook",
      body: UpdateOutgoingWebhook,
      responses: { 200: OutgoingWebhook },
      errors: ["webhook_not_found", "target_not_allowed"],
      handler: (call) =>
        updateOutgoingWebhook(deps, callerOf(call), call.params.hook_id, call.body),
    }),
    route("DELETE /api/rooms/:id/outgoing-webhooks/:hook_id", {
      ...ADMINS,
      summary: "Delete an outgoing webhook",
      responses: { 204: null },
      errors: ["webhook_not_found"],
      handler: (call) => deleteOutgoingWebhook(db, callerOf(call), call.params.hook_id),
    }),
    route("POST /api/rooms/:id/outgoing-webhooks/:hook_id/test", {
      maxSeconds: 30,
      ...ADMINS,
      summary: "Send `webhook.test` and wait for the outcome",
      description:
        "One test runs at a time for each webhook, and a few on each instance: a further one gets 429.",
      responses: { 200: WebhookDelivery },
      errors: ["webhook_not_found", "rate_limited"],
      handler: (call) => sendTestEvent(callerOf(call), call.params.hook_id),
    }),
    route("POST /api/rooms/:id/outgoing-webhooks/:hook_id/rotate-secret", {
      ...ADMINS,
      summary: "Rotate the secret; the previous one also signs for a day",
      responses: { 200: OutgoingWebhookWithSecret },
      errors: ["webhook_not_found"],
      handler: (call) => rotateSigningSecret(deps, callerOf(call), call.params.hook_id),
    }),
    route("GET /api/rooms/:id/outgoing-webhooks/:hook_id/deliveries", {
      ...ADMINS,
      summary: "List deliveries with their responses",
      query: PageQuery,
      responses: { 200: Page(WebhookDelivery) },
      errors: ["webhook_not_found"],
      handler: (call) => listDeliveries(db, callerOf(call), call.params.hook_id, call.query),
    }),
    route("POST /api/rooms/:id/outgoing-webhooks/:hook_id/deliveries/:delivery_id/redeliver", {
      ...ADMINS,
      summary: "Send a delivery again, with the same id",
      responses: { 200: WebhookDelivery },
      errors: ["webhook_not_found", "delivery_not_found", "webhook_paused"],
      handler: (call) =>
        retryDelivery(deps, callerOf(call), call.params.hook_id, call.params.delivery_id),
    }),
  ];
};
