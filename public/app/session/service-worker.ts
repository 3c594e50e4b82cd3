import { effect, signal } from "@preact/signals";
import type { PageMessage } from "../../../src/wire/push.ts";
import { firstScreen } from "../parts/first-screen.ts";
import { restLoaded } from "../parts/load-rest.tsx";
import { navigateTo } from "./navigation.ts";
import { store } from "./store.ts";

/** Activates a waiting version of the client and reloads the page; null while none is waiting. */
export const applyUpdate = signal<(() => void) | null>(null);

/** Starts the service worker once the first screen is shown, and renews the push subscription. */
export function watchServiceWorker(): void {
  const start = async () => {
    await firstScreen;
    const { renewPush, startWorker } = await restLoaded;
    await startWorker(navigateTo, (apply) => {
      applyUpdate.value = apply;
    });
    effect(() => {
      // The push subscription belongs to a session, so it moves to the session of the person who
      // signs in.
      if (store.phase.value === "signed-in") void renewPush(store.api).catch(() => {});
    });
  };
  // Without a service worker, only notifications and the offline start are missing.
  const tryStart = () => void start().catch(() => {});
  if (document.readyState === "complete") tryStart();
  else addEventListener("load", tryStart, { once: true });
}

/** Closes the notifications of a room that has been read. */
export function dismissNotifications(roomId: string): void {
  const message: PageMessage = { type: "read", room_id: roomId };
  navigator.serviceWorker?.controller?.postMessage(message);
}
