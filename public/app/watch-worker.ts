import { effect, signal } from "@preact/signals";
import type { PageMessage } from "../../src/wire/push.ts";
import { go, store } from "./app.ts";

/** Uses a new version of the client that waits, and loads the page anew; null where none does. */
export const update = signal<(() => void) | null>(null);

/** Starts the service worker once the page is there, and renews what it is told by. */
export function watchWorker(): void {
  const start = async () => {
    const { startWorker } = await import("./connection/worker.ts");
    await startWorker(go, (use) => {
      update.value = use;
    });
    const { renewPush } = await import("./connection/push.ts");
    effect(() => {
      // A subscription belongs to a session: whoever signs in here takes it over.
      if (store.phase.value === "signed-in") void renewPush(store.api).catch(() => {});
    });
  };
  // Without it all but notifications and the start without a network works.
  const quietly = () => void start().catch(() => {});
  if (document.readyState === "complete") quietly();
  else addEventListener("load", quietly, { once: true });
}

/** Takes notifications of a room away that has been read. */
export function dismissNotifications(roomId: string): void {
  const message: PageMessage = { type: "read", room_id: roomId };
  navigator.serviceWorker?.controller?.postMessage(message);
}
