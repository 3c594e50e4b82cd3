import { Type as t } from "@sinclair/typebox";
import { Answer, route } from "../routing/route.ts";
import { Subscribe, Unsubscribe } from "../wire/requests.ts";
import type { PushDeps } from "./deliver.ts";
import { subscribe, unsubscribe } from "./subscriptions.ts";
import { pushOff, sendTest } from "./try-out.ts";

const Endpoint = t.Object({ endpoint: t.String() });

/** The browsers of the caller that get notifications. For people: bots have a socket. */
export const pushRoutes = (deps: PushDeps) => {
  const { sql, egress, vapid, queue } = deps;
  return [
    route("GET /api/push/key", {
      access: "person",
      summary: "Get the site's public key for Web Push (VAPID)",
      answers: { 200: t.Object({ public_key: t.String() }) },
      errors: ["push_off"],
      async run() {
        const keys = await vapid();
        if (!keys) throw pushOff();
        return { public_key: keys.publicKey };
      },
    }),
    route("POST /api/push/subscriptions", {
      access: "person",
      summary: "Save a browser's subscription, by its endpoint",
      body: Subscribe,
      answers: { 200: Endpoint, 201: Endpoint },
      async run({ actor, body }) {
        const isNew = await subscribe(sql, egress, actor, body);
        queue.wake();
        return new Answer(isNew ? 201 : 200, { endpoint: body.endpoint });
      },
    }),
    route("DELETE /api/push/subscriptions", {
      access: "person",
      summary: "Delete a browser's subscription",
      body: Unsubscribe,
      answers: { 204: null },
      run: ({ actor, body }) => unsubscribe(sql, actor.id, body.endpoint),
    }),
    route("POST /api/push/test", {
      access: "person",
      summary: "Send a test notification to the caller's browsers",
      answers: { 200: t.Object({ delivered: t.Integer(), failed: t.Integer() }) },
      errors: ["push_off", "rate_limited"],
      run: ({ actor }) => sendTest(deps, actor.id),
    }),
  ];
};
