import { signal } from "@preact/signals";
import type { PageMessage } from "../../../src/wire/push.ts";

/** Activates a waiting version of the client and reloads the page; null while none is waiting. */
export const applyUpdate = signal<(() => void) | null>(null);

/** Closes the notifications of a room that has been read. */
export function dismissNotifications(roomId: string): void {
  const message: PageMessage = { type: "read", room_id: roomId };
  navigator.serviceWorker?.controller?.postMessage(message);
}
