import type {
  OutgoingWebhook,
  WebhookDelivery,
  WebhookEvent,
} from "../../../../src/wire/webhooks.ts";
import { dayName, timeOf } from "../../parts/times.ts";

export const EVENT_WORDS: Record<WebhookEvent, string> = {
  "message.created": "New messages",
  "message.updated": "Edited messages",
  "message.deleted": "Deleted messages",
  "reaction.changed": "Reactions",
  "member.added": "People who come",
  "member.removed": "People who go",
  "room.updated": "Changes of the room",
};

/** How something stands: told by a word, a shape and a colour. */
export type Standing = { kind: "good" | "bad" | "idle"; text: string };

/** "Today, 14:05". */
export const whenOf = (at: string) => `${dayName(at)}, ${timeOf(at)}`;
/** The same within a sentence. */
export function atTime(at: string): string {
  const when = whenOf(at);
  return when.charAt(0).toLocaleLowerCase() + when.slice(1);
}

export function standingOfHook(hook: OutgoingWebhook): Standing {
  const { is_active, disabled_reason, failing_since, last_delivery: last } = hook;
  if (disabled_reason) return { kind: "bad", text: `Switched off. ${disabled_reason}` };
  if (!is_active) return { kind: "idle", text: "Paused" };
  if (!last?.tried_at) return { kind: "idle", text: "Nothing sent yet" };
  if (last.state === "delivered") {
    return { kind: "good", text: `Delivered ${atTime(last.tried_at)}` };
  }
  const since = failing_since ? `Failing since ${atTime(failing_since)}.` : "The last try failed.";
  return { kind: "bad", text: `${since} ${last.error ?? ""}` };
}

export function standingOf(delivery: WebhookDelivery): Standing {
  const { state, status, attempts } = delivery;
  if (state === "delivered") return { kind: "good", text: `Delivered, ${status}` };
  if (state === "failed") return { kind: "bad", text: status ? `Failed, ${status}` : "Failed" };
  if (attempts === 0) return { kind: "idle", text: "Waits to be sent" };
  return {
    kind: "bad",
    text: status ? `Waits to be tried again, ${status}` : "Waits to be tried again",
  };
}
