import { Elysia, t } from "elysia";
import { guard, needs } from "../accounts/guard.ts";
import type { Identifier } from "../accounts/identify.ts";
import { Id } from "../wire/models.ts";
import { PageQuery } from "../wire/queries.ts";
import { CreateOutgoingWebhook, UpdateOutgoingWebhook } from "../wire/webhooks.ts";
import type { WebhookDeps } from "./deliver.ts";
import { listDeliveries, redeliver, testHook } from "./deliveries.ts";
import { createHook, deleteHook, listHooks, rotateSecret, updateHook } from "./hooks.ts";

const room = { params: t.Object({ id: Id }) };
const hook = { params: t.Object({ id: Id, hook_id: Id }) };
const delivery = { params: t.Object({ id: Id, hook_id: Id, delivery_id: Id }) };
/** Whoever says what is sent where, or sees what was, reads messages: a bot's token must allow it. */
const reads = needs("read:messages");

type Call = { actor: { id: string }; params: { id: string } };
const by = ({ actor, params }: Call) => ({ actorId: actor.id, roomId: params.id });

/** Outgoing webhooks, for a room's owner and admins. */
export function webhookRoutes(deps: WebhookDeps, identifier: Identifier) {
  const { db } = deps.database;
  return new Elysia({ name: "webhooks" })
    .use(guard(identifier))
    .get("/api/rooms/:id/outgoing-webhooks", (call) => listHooks(db, by(call), call.query), {
      ...room,
      query: PageQuery,
    })
    .post(
      "/api/rooms/:id/outgoing-webhooks",
      async (call) => {
        const created = await createHook(deps, by(call), call.body);
        call.set.status = 201;
        return created;
      },
      { ...room, body: CreateOutgoingWebhook, ...reads },
    )
    .patch(
      "/api/rooms/:id/outgoing-webhooks/:hook_id",
      (call) => updateHook(deps, by(call), call.params.hook_id, call.body),
      { ...hook, body: UpdateOutgoingWebhook, ...reads },
    )
    .delete(
      "/api/rooms/:id/outgoing-webhooks/:hook_id",
      async (call) => {
        await deleteHook(db, by(call), call.params.hook_id);
        call.set.status = 204;
      },
      hook,
    )
    .post(
      "/api/rooms/:id/outgoing-webhooks/:hook_id/test",
      (call) => testHook(deps, by(call), call.params.hook_id),
      hook,
    )
    .post(
      "/api/rooms/:id/outgoing-webhooks/:hook_id/rotate-secret",
      (call) => rotateSecret(deps, by(call), call.params.hook_id),
      hook,
    )
    .get(
      "/api/rooms/:id/outgoing-webhooks/:hook_id/deliveries",
      (call) => listDeliveries(db, by(call), call.params.hook_id, call.query),
      { ...hook, query: PageQuery, ...reads },
    )
    .post(
      "/api/rooms/:id/outgoing-webhooks/:hook_id/deliveries/:delivery_id/redeliver",
      (call) => redeliver(deps, by(call), call.params.hook_id, call.params.delivery_id),
      { ...delivery, ...reads },
    );
}
