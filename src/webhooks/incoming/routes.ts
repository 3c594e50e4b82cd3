import { Type as t } from "@sinclair/typebox";
import type { Poster } from "../../messages/post.ts";
import { type Media, route } from "../../routing/route.ts";
import {
  ChangeIncomingWebhook,
  CreateIncomingWebhook,
  IncomingWebhook,
  NewIncomingWebhook,
} from "../../wire/webhooks.ts";
import { Page } from "../../wire/models.ts";
import { IdempotencyHeaders, PageQuery } from "../../wire/queries.ts";
import { callerOf } from "../shared.ts";
import { receiveWebhook } from "./receive.ts";
import {
  changeIncomingWebhook,
  createIncomingWebhook,
  deleteIncomingWebhook,
  type IncomingWebhookDeps,
  listIncomingWebhooks,
} from "./webhooks.ts";

const text = (description: string): Media => ({ media: "text/plain", description });

/** Incoming webhooks, for a room's owner and admins, and the address that programs post to. */
export const incomingWebhookRoutes = (deps: IncomingWebhookDeps, poster: Poster) => {
  const { db } = deps.database;
  return [
    route("GET /api/rooms/:id/incoming-webhooks", {
      access: "signed-in",
      room: "admin",
      summary: "List a room's incoming webhooks",
      query: PageQuery,
      responses: { 200: Page(IncomingWebhook) },
      handler: (call) => listIncomingWebhooks(deps.database, callerOf(call), call.query),
    }),
    route("POST /api/rooms/:id/incoming-webhooks", {
      // A webhook is another way to post, so a bot's token must allow posting.
      access: "write:messages",
      room: "admin",
      summary: "Create an incoming webhook, whose address only this response contains",
      body: CreateIncomingWebhook,
      responses: { 201: NewIncomingWebhook },
      errors: ["unknown_user", "too_many_webhooks"],
      handler: (call) => createIncomingWebhook(deps, callerOf(call), call.body),
    }),
    route("PATCH /api/rooms/:id/incoming-webhooks/:hook_id", {
      access: "write:messages",
      room: "admin",
      summary: "Choose whether an incoming webhook may pin its messages",
      body: ChangeIncomingWebhook,
      responses: { 200: IncomingWebhook },
      errors: ["webhook_not_found"],
      handler: (call) => changeIncomingWebhook(db, callerOf(call), call.params.hook_id, call.body),
    }),
    route("DELETE /api/rooms/:id/incoming-webhooks/:hook_id", {
      access: "signed-in",
      room: "admin",
      summary: "Delete an incoming webhook; its address stops working",
      responses: { 204: null },
      errors: ["webhook_not_found"],
      handler: (call) => deleteIncomingWebhook(db, callerOf(call), call.params.hook_id),
    }),
    route("POST /hooks/:token", {
      access: "public",
      summary:
        "Post into a room: Slack's form, GitHub's events, Alertmanager's and Grafana's alerts",
      description:
        "Responds like Slack: `ok`, or one word for the error. After 503, send it again later.",
      params: { token: t.String() },
      headers: IdempotencyHeaders,
      body: "webhook",
      responses: {
        200: text("`ok`"),
        400: text("`invalid_payload` or `no_text`"),
        401: text("`invalid_signature`, where the webhook has GitHub's secret"),
        404: text("`no_service`"),
        410: text("`channel_is_archived`"),
        413: text("`too_large`"),
        500: text("`server_error`"),
        503: text("`service_unavailable`, with `Retry-After`"),
      },
      handler: ({ request, params }) => receiveWebhook(deps, poster, request, params.token),
    }),
  ];
};
