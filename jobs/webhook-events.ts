import type { Handling } from "../src/jobs-queue/kinds.ts";
import { deliverDue, type WebhookDeps } from "../src/webhooks/outgoing/deliver.ts";

/**
 * Sends a webhook what is due for it. Receivers may be slow or never answer: one job at most waits
 * for each, and the dispatch queues no more of them than may run (`webhooks/outgoing/dispatch.ts`).
 */
export function webhookEvents(deps: WebhookDeps): Handling<"webhook_events"> {
  return { concurrency: 64, run: ({ hookId }, context) => deliverDue(deps, hookId, context) };
}
