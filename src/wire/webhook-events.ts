import type { WebhookEvent } from "./events.ts";

/** What an outgoing webhook can ask for, without schemas: the client lists it. Complete by its type. */
export const WEBHOOK_EVENTS = Object.keys({
  "message.created": true,
  "message.updated": true,
  "message.deleted": true,
  "reaction.changed": true,
  "member.added": true,
  "member.removed": true,
  "room.updated": true,
} satisfies Record<WebhookEvent, true>) as WebhookEvent[];

/** Sent when somebody tries a webhook out. */
export const TEST_EVENT = "webhook.test";
