import { Type as t } from "@sinclair/typebox";
import { Reply, route } from "../routing/route.ts";
import { Subscribe, Unsubscribe } from "../wire/requests.ts";
import type { PushDeps } from "./notify.ts";
import { deleteSubscription, saveSubscription } from "./subscriptions.ts";
import { makePushOffRefusal, sendTestNotification } from "./notify-self.ts";

const Endpoint = t.Object({ endpoint: t.String() });

/** A person's browsers that receive notifications. Bots use the socket instead. */
export const pushRoutes = (deps: PushDeps) => {
  const { database, egress, vapid, queue } = deps;
  const { db } = database;
  return [
    route("GET /api/push/key", {
      access: "person",
      summary: "Get the site's public key for Web Push (VAPID)",
      responses: { 200: t.Object({ public_key: t.String() }) },
      errors: ["push_off"],
      async handler() {
        const keys = await vapid();
        if (!keys) throw makePushOffRefusal();
        return { public_key: keys.publicKey };
      },
    }),
    route("POST /api/push/subscriptions", {
      access: "person",
      summary: "Save a browser's subscription, by its endpoint",
      body: Subscribe,
      responses: { 200: Endpoint, 201: Endpoint },
      async handler({ actor, body }) {
        const isNew = await saveSubscription(db, egress, actor, body);
        queue.wake();
        return new Reply(isNew ? 201 : 200, { endpoint: body.endpoint });
      },
    }),
    route("DELETE /api/push/subscriptions", {
      access: "person",
      summary: "Delete a browser's subscription",
      body: Unsubscribe,
      responses: { 204: null },
      handler: ({ actor, body }) => deleteSubscription(db, actor.id, body.endpoint),
    }),
    route("POST /api/push/test", {
      access: "person",
      summary: "Send a test notification to the caller's browsers",
      responses: { 200: t.Object({ delivered: t.Integer(), failed: t.Integer() }) },
      errors: ["push_off", "rate_limited"],
      handler: ({ actor }) => sendTestNotification(deps, actor.id),
    }),
  ];
};
