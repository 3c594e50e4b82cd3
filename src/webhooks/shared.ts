import { Refusal } from "../platform/refusal.ts";
import { MAX_WEBHOOKS_PER_ROOM } from "../wire/limits.ts";

/** The caller and the room whose webhooks they manage. */
export type Caller = { actorId: string; roomId: string };

/** The caller of a route whose `:id` is the room. */
export function callerOf(call: { actor: { id: string }; params: { id: string } }): Caller {
  return { actorId: call.actor.id, roomId: call.params.id };
}

export function makeWebhookNotFound(): Refusal {
  return new Refusal("webhook_not_found", "This room has no such webhook.");
}

/** @throws Refusal `too_many_webhooks` if a room with `count` webhooks can have no more */
export function checkWebhookCount(count: number): void {
  if (count < MAX_WEBHOOKS_PER_ROOM) return;
  const detail = `A room can have ${MAX_WEBHOOKS_PER_ROOM} webhooks. Delete one that is not needed.`;
  throw new Refusal("too_many_webhooks", detail);
}
