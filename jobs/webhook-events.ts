import type { Handling } from "../src/jobs-queue/kinds.ts";
import { deliverDue, type WebhookDeps } from "../src/webhooks/deliver.ts";

/**
 * Sends a webhook what is due for it. Receivers may be slow or never answer: they wait in hands of
 * their own, one at most for each webhook.
 */
export function webhookEvents(deps: WebhookDeps): Handling<"webhook_events"> {
  return { hands: 16, run: ({ hookId }, { signal }) => deliverDue(deps, hookId, signal) };
}
