import {
  type NotificationData,
  type PushPayload,
  pushTag,
  tagOf,
  type WorkerMessage,
} from "../../src/wire/push.ts";
import { scope, type SubscriptionChangeEvent } from "./scope.ts";

/** Shows a push message. A later message of a room replaces the previous notification. */
export async function showPush(pushed: unknown): Promise<void> {
  const payload = pushed as PushPayload;
  const isMessage = payload.type === "message";
  const tag = tagOf(payload);
  const previous = (await scope.registration.getNotifications({ tag }))[0]?.data as
    NotificationData | undefined;
  // Counts messages that were not opened, including those whose notification was replaced.
  const count = isMessage ? (previous?.count ?? 0) + 1 : 1;
  const title = count > 1 ? `${payload.title} (${count})` : payload.title;
  await scope.registration.showNotification(title, {
    body: payload.body,
    tag,
    data: { path: payload.path, count } satisfies NotificationData,
    icon: "/icons/icon-192.png",
    badge: "/icons/badge-96.png",
    timestamp: isMessage ? Date.parse(payload.created_at) : Date.now(),
    // A replaced notification alerts again only for a mention.
    renotify: isMessage && payload.mention,
  } as NotificationOptions);
}

/** Focuses an open page and navigates it to the message, or opens a new one. */
export async function openFromNotification(notification: Notification): Promise<void> {
  notification.close();
  const { path } = notification.data as NotificationData;
  const pages = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((page) => page.visibilityState === "visible") ?? pages[0];
  if (!page) {
    await scope.clients.openWindow(path);
    return;
  }
  page.postMessage({ type: "open", path } satisfies WorkerMessage);
  // Focusing is allowed only shortly after the click; without it the page has still navigated.
  await page.focus().catch(() => {});
}

export async function closeNotifications(roomId: string): Promise<void> {
  const notifications = await scope.registration.getNotifications({ tag: pushTag(roomId) });
  for (const notification of notifications) notification.close();
}

/** Registers the new subscription after the browser has replaced the old one. */
export async function renewSubscription(event: SubscriptionChangeEvent): Promise<void> {
  const { applicationServerKey } = event.oldSubscription?.options ?? {};
  const subscription =
    event.newSubscription ??
    (applicationServerKey &&
      (await scope.registration.pushManager.subscribe({
        userVisibleOnly: true,
        applicationServerKey,
      })));
  if (!subscription) return;
  await fetch("/api/push/subscriptions", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(subscription),
  });
}
