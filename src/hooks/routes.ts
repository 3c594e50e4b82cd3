import { Elysia, t } from "elysia";
import { guard, isPublic, needs } from "../accounts/guard.ts";
import type { Identifier } from "../accounts/identify.ts";
import type { Poster } from "../messages/post.ts";
import { CreateIncomingWebhook } from "../wire/hooks.ts";
import { Id } from "../wire/models.ts";
import { PageQuery } from "../wire/queries.ts";
import { createIncoming, deleteIncoming, type HookDeps, listIncoming } from "./hooks.ts";
import { receive } from "./receive.ts";

const room = { params: t.Object({ id: Id }) };

type Call = { actor: { id: string }; params: { id: string } };
const by = ({ actor, params }: Call) => ({ actorId: actor.id, roomId: params.id });

/** Incoming webhooks: for a room's owner and admins, and the address that programs post to. */
export function hookRoutes(deps: HookDeps, identifier: Identifier, poster: Poster) {
  const { db } = deps.database;
  return new Elysia({ name: "hooks" })
    .use(guard(identifier))
    .get("/api/rooms/:id/incoming-webhooks", (call) => listIncoming(db, by(call), call.query), {
      ...room,
      query: PageQuery,
    })
    .post(
      "/api/rooms/:id/incoming-webhooks",
      async (call) => {
        const created = await createIncoming(deps, by(call), call.body);
        call.set.status = 201;
        return created;
      },
      // Whoever has one posts, though by another way: a bot's token must allow it.
      { ...room, body: CreateIncomingWebhook, ...needs("write:messages") },
    )
    .delete(
      "/api/rooms/:id/incoming-webhooks/:hook_id",
      async (call) => {
        await deleteIncoming(db, by(call), call.params.hook_id);
        call.set.status = 204;
      },
      { params: t.Object({ id: Id, hook_id: Id }) },
    )
    .post("/hooks/:token", ({ request, params }) => receive(deps, poster, request, params.token), {
      parse: "none",
      ...isPublic,
    });
}
