/** What an outgoing webhook can ask for. */
export const WEBHOOK_EVENTS = [
  "message.created",
  "message.updated",
  "message.deleted",
  "reaction.changed",
  "member.added",
  "member.removed",
  "room.updated",
] as const;

/** Sent when somebody tries a webhook out. */
export const TEST_EVENT = "webhook.test";
