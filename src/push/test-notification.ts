import { Refusal } from "../platform/refusal.ts";
import { countAttempt } from "../rate-limits/rate-limits.ts";
import type { PushDeps } from "./notify.ts";
import { buildTestPayload } from "./payload.ts";
import { deleteSubscriptions, readSubscriptions } from "./subscriptions.ts";

const OPTIONS = { ttl: 60, urgency: "high" } as const;

/**
 * Sends a test notification to all browsers of an account. Returns how many push services accepted it;
 * only the browsers can tell whether it was shown.
 * @throws Refusal `push_off`, `rate_limited`
 */
export async function sendTestNotification(
  { database, services, ...deps }: PushDeps,
  userId: string,
): Promise<{ delivered: number; failed: number }> {
  const { db } = database;
  const vapid = await deps.vapid();
  if (!vapid) throw createPushOff();
  await countAttempt(db, [{ key: `push-test:${userId}`, max: 20, minutes: 10 }]);
  const payload = buildTestPayload(deps.baseUrl);
  // At most MAX_PUSH_SUBSCRIPTIONS, few enough to send to all at once.
  const subscriptions = await readSubscriptions(db, userId);
  const results = await Promise.all(
    subscriptions.map((subscription) => services.send(vapid, subscription, payload, OPTIONS)),
  );
  const goneIds = subscriptions.filter((_, i) => results[i]?.type === "gone").map(({ id }) => id);
  await deleteSubscriptions(db, goneIds);
  const delivered = results.filter(({ type }) => type === "delivered").length;
  return { delivered, failed: results.length - delivered };
}

export function createPushOff(): Refusal {
  return new Refusal(
    "push_off",
    "Notifications are off on this site. Its operator can turn them on.",
  );
}
