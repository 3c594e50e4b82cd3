import { Elysia } from "elysia";
import { guard } from "../accounts/guard.ts";
import type { Identifier } from "../accounts/identify.ts";
import { Subscribe, Unsubscribe } from "../wire/requests.ts";
import type { PushDeps } from "./deliver.ts";
import { subscribe, unsubscribe } from "./subscriptions.ts";
import { pushOff, sendTest } from "./try-out.ts";

/** One's own browsers that are told of messages. For people: bots have a socket. */
export function pushRoutes(deps: PushDeps, identifier: Identifier) {
  const { sql, egress, vapid, queue } = deps;
  return new Elysia({ name: "push" })
    .use(guard(identifier))
    .get("/api/push/key", async () => {
      const keys = await vapid();
      if (!keys) throw pushOff();
      return { public_key: keys.publicKey };
    })
    .post(
      "/api/push/subscriptions",
      async ({ actor, body, set }) => {
        const isNew = await subscribe(sql, egress, actor, body);
        queue.wake();
        set.status = isNew ? 201 : 200;
        return { endpoint: body.endpoint };
      },
      { body: Subscribe },
    )
    .delete(
      "/api/push/subscriptions",
      async ({ actor, body, set }) => {
        await unsubscribe(sql, actor.id, body.endpoint);
        set.status = 204;
      },
      { body: Unsubscribe },
    )
    .post("/api/push/test", ({ actor }) => sendTest(deps, actor.id));
}
