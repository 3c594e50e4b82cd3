import type { PageMessage } from "../../src/wire/push.ts";
import { closeNotifications, openFromNotification, renewSubscription, showPush } from "./push.ts";
import { scope } from "./scope.ts";
import { activateShell, cacheShell, respond } from "./first-load-cache.ts";
import { receiveShare } from "./shared-files.ts";

/** The service worker: notifications, opening offline, and what other apps share. */
scope.addEventListener("install", (event) => event.waitUntil(cacheShell()));
scope.addEventListener("activate", (event) => event.waitUntil(activateShell()));
scope.addEventListener("fetch", (event) => {
  const response = receiveShare(event.request) ?? respond(event);
  if (response) event.respondWith(response);
});
scope.addEventListener("message", (event) => {
  const message = event.data as PageMessage;
  // A new version waits until the user agrees to reload, so that nothing they wrote is lost.
  if (message.type === "use-new-version") void scope.skipWaiting();
  if (message.type === "read") event.waitUntil(closeNotifications(message.room_id));
});
scope.addEventListener("push", (event) => event.waitUntil(showPush(event.data?.json())));
scope.addEventListener("notificationclick", (event) =>
  event.waitUntil(openFromNotification(event.notification)),
);
scope.addEventListener("pushsubscriptionchange", (event) =>
  event.waitUntil(renewSubscription(event)),
);
