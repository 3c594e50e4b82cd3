import { Refusal } from "../platform/refusal.ts";
import { countAttempt } from "../rate-limits/rate-limits.ts";
import { forget, type PushDeps } from "./deliver.ts";
import { testPayload } from "./payload.ts";
import { subscriptionsOf } from "./subscriptions.ts";

const TTL_SECONDS = 60;

/**
 * Sends a test to all of one's own browsers, and says how many push services took it: what they do
 * with it only the browser can tell.
 * @throws Refusal `push_off`, `rate_limited`
 */
export async function sendTest(
  deps: PushDeps,
  userId: string,
): Promise<{ delivered: number; failed: number }> {
  const vapid = await deps.vapid();
  if (!vapid) throw pushOff();
  await countAttempt(deps.db, [{ key: `push-test:${userId}`, max: 20, minutes: 10 }]);
  const payload = testPayload();
  const gone: string[] = [];
  const answer = { delivered: 0, failed: 0 };
  // So few that all may go at once.
  const subscriptions = await subscriptionsOf(deps.sql, userId);
  await Promise.all(
    subscriptions.map(async (subscription) => {
      const manner = { ttl: TTL_SECONDS, urgency: "high" } as const;
      const delivery = await deps.services.send(vapid, subscription, payload, manner);
      if (delivery.type === "gone") gone.push(subscription.id);
      if (delivery.type === "delivered") answer.delivered += 1;
      else answer.failed += 1;
    }),
  );
  await forget(deps.sql, gone);
  return answer;
}

export function pushOff(): Refusal {
  return new Refusal("push_off", "Notifications are off on this site. Its operator can mend that.");
}
