import type { PageMessage } from "../../src/wire/push.ts";
import { onClick, onPush, onRead, onSubscriptionChange } from "./push.ts";
import { scope } from "./scope.ts";
import { answer, cleanUp, install } from "./shell.ts";
import { onShare } from "./share.ts";

/** The service worker: notifications, what opens without a network, and what is shared to Snug. */
scope.addEventListener("install", (event) => event.waitUntil(install()));
scope.addEventListener("activate", (event) => event.waitUntil(cleanUp()));
scope.addEventListener("fetch", (event) => {
  const answered = onShare(event.request) ?? answer(event.request);
  if (answered) event.respondWith(answered);
});
scope.addEventListener("message", (event) => {
  const message = event.data as PageMessage;
  // A new version waits until the person says so: nobody's words are to be lost by a reload.
  if (message.type === "use-new-version") void scope.skipWaiting();
  if (message.type === "read") event.waitUntil(onRead(message.room_id));
});
scope.addEventListener("push", (event) => event.waitUntil(onPush(event.data?.json())));
scope.addEventListener("notificationclick", (event) =>
  event.waitUntil(onClick(event.notification)),
);
scope.addEventListener("pushsubscriptionchange", (event) =>
  event.waitUntil(onSubscriptionChange(event)),
);
