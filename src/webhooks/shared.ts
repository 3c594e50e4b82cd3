import { eq } from "drizzle-orm";
import type { Query } from "../database/connect.ts";
import { incomingWebhooks, outgoingWebhooks } from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
import { MAX_WEBHOOKS_PER_ROOM } from "../wire/limits.ts";

/** The caller and the room whose webhooks they manage. */
export type Caller = { actorId: string; roomId: string };

/** The caller of a route whose `:id` is the room. */
export function callerOf(call: { actor: { id: string }; params: { id: string } }): Caller {
  return { actorId: call.actor.id, roomId: call.params.id };
}

export function makeWebhookNotFoundRefusal(): Refusal {
  return new Refusal("webhook_not_found", "This room has no such webhook.");
}

/** @throws Refusal `too_many_webhooks` if a room already has as many webhooks as it may */
export function checkWebhookCount(count: number): void {
  if (count < MAX_WEBHOOKS_PER_ROOM) return;
  const detail = `A room can have ${MAX_WEBHOOKS_PER_ROOM} webhooks. Delete one that is not needed.`;
  throw new Refusal("too_many_webhooks", detail);
}

/** Deletes a webhook of any room and direction; null if it does not exist. */
export async function deleteAnyWebhook(tx: Query, id: string): Promise<{ name: string } | null> {
  const [incomingWebhook] = await tx
    .delete(incomingWebhooks)
    .where(eq(incomingWebhooks.id, id))
    .returning({ name: incomingWebhooks.name });
  if (incomingWebhook) return incomingWebhook;
  const [outgoingWebhook] = await tx
    .delete(outgoingWebhooks)
    .where(eq(outgoingWebhooks.id, id))
    .returning({ name: outgoingWebhooks.name });
  return outgoingWebhook ?? null;
}
