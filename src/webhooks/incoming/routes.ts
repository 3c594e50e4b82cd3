import { Type as t } from "@sinclair/typebox";
import type { Poster } from "../../messages/post.ts";
import { type Media, route } from "../../routing/route.ts";
import {
  ChangeIncomingWebhook,
  CreateIncomingWebhook,
  IncomingWebhook,
  NewIncomingWebhook,
} from "../../wire/incoming-webhooks.ts";
import { Page } from "../../wire/models.ts";
import { PageQuery } from "../../wire/queries.ts";
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
      answers: { 200: Page(IncomingWebhook) },
      run: (call) => listIncomingWebhooks(deps.database, callerOf(call), call.query),
    }),
    route("POST /api/rooms/:id/incoming-webhooks", {
      // A webhook is another way to post, so a bot's token must allow posting.
      access: "write:messages",
      room: "admin",
      summary: "Create an incoming webhook; its address is shown in this answer alone",
      body: CreateIncomingWebhook,
      answers: { 201: NewIncomingWebhook },
      errors: ["unknown_user", "too_many_webhooks"],
      run: (call) => createIncomingWebhook(deps, callerOf(call), call.body),
    }),
    route("PATCH /api/rooms/:id/incoming-webhooks/:hook_id", {
      access: "write:messages",
      room: "admin",
      summary: "Choose whether an incoming webhook may pin its messages",
      body: ChangeIncomingWebhook,
      answers: { 200: IncomingWebhook },
      errors: ["webhook_not_found"],
      run: (call) => changeIncomingWebhook(db, callerOf(call), call.params.hook_id, call.body),
    }),
    route("DELETE /api/rooms/:id/incoming-webhooks/:hook_id", {
      access: "signed-in",
      room: "admin",
      summary: "Delete an incoming webhook; its address stops working",
      answers: { 204: null },
      errors: ["webhook_not_found"],
      run: (call) => deleteIncomingWebhook(db, callerOf(call), call.params.hook_id),
    }),
    route("POST /hooks/:token", {
      access: "public",
      summary:
        "Post into a room: Slack's form, GitHub's events, Alertmanager's and Grafana's alerts",
      description:
        "Answers as Slack does: `ok`, or one word that says why not. On 503, send it again later.",
      params: { token: t.String() },
      body: "webhook",
      answers: {
        200: text("`ok`"),
        400: text("`invalid_payload` or `no_text`"),
        401: text("`invalid_signature`, where the webhook has GitHub's secret"),
        404: text("`no_service`"),
        410: text("`channel_is_archived`"),
        413: text("`too_large`"),
        500: text("`server_error`"),
        503: text("`service_unavailable`, with `Retry-After`"),
      },
      run: ({ request, params }) => receiveWebhook(deps, poster, request, params.token),
    }),
  ];
};
