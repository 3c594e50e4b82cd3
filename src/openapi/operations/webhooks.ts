import { Type as t } from "@sinclair/typebox";
import type { Code } from "../../wire/codes.ts";
import { IncomingWebhook, NewIncomingWebhook } from "../../wire/hooks.ts";
import { Page } from "../../wire/models.ts";
import {
  OutgoingWebhook,
  OutgoingWebhookWithSecret,
  WebhookDelivery,
} from "../../wire/webhooks.ts";
import type { Media, Operations } from "../operation.ts";

const BY_ROLE: Code[] = ["room_not_found", "not_a_member", "role_required"];
const OF_HOOK: Code[] = [...BY_ROLE, "webhook_not_found"];
const TEXT: Media = { media: "text/plain", description: "One word" };

export const WEBHOOKS: Operations = {
  "GET /api/rooms/:id/incoming-webhooks": {
    summary: "Addresses that programs post into a room by",
    answers: { 200: Page(IncomingWebhook) },
    errors: BY_ROLE,
  },
  "POST /api/rooms/:id/incoming-webhooks": {
    summary: "Make an address; it is shown in this answer alone",
    answers: { 201: NewIncomingWebhook },
    errors: [...BY_ROLE, "unknown_user", "too_many_webhooks"],
  },
  "DELETE /api/rooms/:id/incoming-webhooks/:hook_id": {
    summary: "Let an address work no more",
    answers: { 204: null },
    errors: OF_HOOK,
  },
  "POST /hooks/:token": {
    summary: "Post into a room: Slack's form, GitHub's events, Alertmanager's and Grafana's alerts",
    description:
      "Answers as Slack does: `ok`, or one word that says why not. 503 says to send it again.",
    answers: {
      200: TEXT,
      400: { ...TEXT, description: "`invalid_payload` or `no_text`" },
      401: { ...TEXT, description: "`invalid_signature`, where the hook has GitHub's secret" },
      404: { ...TEXT, description: "`no_service`" },
      410: { ...TEXT, description: "`channel_is_archived`" },
      413: { ...TEXT, description: "`too_large`" },
      503: { ...TEXT, description: "`service_unavailable`, with `Retry-After`" },
    },
    body: "hook",
  },
  "GET /api/rooms/:id/outgoing-webhooks": {
    summary: "Where a room's events are sent",
    answers: { 200: Page(OutgoingWebhook) },
    errors: BY_ROLE,
  },
  "POST /api/rooms/:id/outgoing-webhooks": {
    summary: "Send a room's events somewhere; the secret is shown in this answer alone",
    answers: { 201: OutgoingWebhookWithSecret },
    errors: [...BY_ROLE, "too_many_webhooks", "target_not_allowed"],
  },
  "PATCH /api/rooms/:id/outgoing-webhooks/:hook_id": {
    summary: "Change a webhook, pause it, or switch it on again",
    answers: { 200: OutgoingWebhook },
    errors: [...OF_HOOK, "target_not_allowed"],
  },
  "DELETE /api/rooms/:id/outgoing-webhooks/:hook_id": {
    summary: "Delete a webhook",
    answers: { 204: null },
    errors: OF_HOOK,
  },
  "POST /api/rooms/:id/outgoing-webhooks/:hook_id/test": {
    summary: "Send `webhook.test`, wait, and tell what came of it",
    answers: { 200: WebhookDelivery },
    errors: OF_HOOK,
  },
  "POST /api/rooms/:id/outgoing-webhooks/:hook_id/rotate-secret": {
    summary: "Make a new secret; the one before signs beside it for a day",
    answers: { 200: OutgoingWebhookWithSecret },
    errors: OF_HOOK,
  },
  "GET /api/rooms/:id/outgoing-webhooks/:hook_id/deliveries": {
    summary: "What was sent, and what came back",
    answers: { 200: Page(WebhookDelivery) },
    errors: OF_HOOK,
  },
  "POST /api/rooms/:id/outgoing-webhooks/:hook_id/deliveries/:delivery_id/redeliver": {
    summary: "Send a delivery again, with the same id",
    answers: { 200: WebhookDelivery },
    errors: [...OF_HOOK, "delivery_not_found", "webhook_paused"],
  },
  "GET /api/push/key": {
    summary: "The site's public key for Web Push (VAPID)",
    answers: { 200: t.Object({ public_key: t.String() }) },
    errors: ["push_off"],
  },
  "POST /api/push/subscriptions": {
    summary: "Keep a browser's subscription, by its endpoint",
    answers: { 200: t.Object({ endpoint: t.String() }), 201: t.Object({ endpoint: t.String() }) },
  },
  "DELETE /api/push/subscriptions": {
    summary: "Forget a browser's subscription",
    answers: { 204: null },
  },
  "POST /api/push/test": {
    summary: "Send a test to one's own browsers",
    answers: { 200: t.Object({ delivered: t.Integer(), failed: t.Integer() }) },
    errors: ["push_off", "rate_limited"],
  },
};
