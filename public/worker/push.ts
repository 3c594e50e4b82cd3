import { type PushPayload, pushTag, type WorkerMessage } from "../../src/wire/push.ts";
import { scope, type SubscriptionEvent } from "./scope.ts";

/** Shows what was pushed. A later message of a room takes the place of the one before. */
export async function onPush(pushed: unknown): Promise<void> {
  const payload = pushed as PushPayload;
  const isMessage = payload.type === "message";
  const tag = isMessage ? pushTag(payload.room_id) : "test";
  const before = (await scope.registration.getNotifications({ tag }))[0]?.data as Shown | undefined;
  // What was not looked at is counted, so that a replaced one is not as if it never was.
  const count = isMessage ? (before?.count ?? 0) + 1 : 1;
  const title = count > 1 ? `${payload.title} (${count})` : payload.title;
  await scope.registration.showNotification(title, {
    body: payload.body,
    tag,
    data: { path: payload.path, count } satisfies Shown,
    icon: "/icons/icon-192.png",
    badge: "/icons/badge-96.png",
    timestamp: isMessage ? Date.parse(payload.created_at) : Date.now(),
    // Replaced, it is heard again only where one is mentioned.
    renotify: isMessage && payload.mention,
  } as NotificationOptions);
}

type Shown = { path: string; count: number };

/** Brings a page of ours to the front and leads it there, or opens one. */
export async function onClick(notification: Notification): Promise<void> {
  notification.close();
  const { path } = notification.data as Shown;
  const pages = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((one) => one.visibilityState === "visible") ?? pages[0];
  if (!page) {
    await scope.clients.openWindow(path);
    return;
  }
  page.postMessage({ type: "open", path } satisfies WorkerMessage);
  // Allowed for as long as the click counts; a page that stays behind is where it should be all the same.
  await page.focus().catch(() => {});
}

/** What was read needs no notification any more. */
export async function onRead(roomId: string): Promise<void> {
  const shown = await scope.registration.getNotifications({ tag: pushTag(roomId) });
  for (const notification of shown) notification.close();
}

/** The browser has replaced the subscription by itself: the service is told of the new one. */
export async function onSubscriptionChange(event: SubscriptionEvent): Promise<void> {
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
