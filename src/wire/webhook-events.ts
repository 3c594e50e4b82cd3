import type { WebhookEvent } from "./events.ts";

/** Without schemas, so that the client can load it. The type ensures that the list is complete. */
export const WEBHOOK_EVENTS = Object.keys({
  "message.created": true,
  "message.updated": true,
  "message.deleted": true,
  "reaction.changed": true,
  "member.added": true,
  "member.removed": true,
  "room.updated": true,
} satisfies Record<WebhookEvent, true>) as WebhookEvent[];

export const TEST_EVENT = "webhook.test";
