import { signal } from "@preact/signals";
import type { Broadcast, MyRoom } from "../../../src/wire/models.ts";
import { loadPart } from "../parts/lazy.tsx";

/** The function that offers `@room` and `@here`, once it is loaded. */
export const broadcastPart = signal<typeof import("./broadcast.ts") | null>(null);

/** Loads the code for messages that mention everyone, once. */
export async function loadBroadcast() {
  broadcastPart.value ??= await loadPart("deferred", import("./broadcast.ts"));
  return broadcastPart.value;
}

let isLoading = false;
const SIGN = /@(?:room|here)(?![\w-])/i;

/**
 * As `askBroadcast`, which is loaded for texts with `@room` or `@here`. If it does not load, the
 * service decides.
 */
export function sendAsking(
  room: MyRoom,
  text: string,
  send: () => void,
  known: Broadcast | null = null,
): void {
  // A second Enter while it loads would send the text twice.
  if (isLoading) return;
  if (!SIGN.test(text)) {
    send();
    return;
  }
  isLoading = true;
  void loadBroadcast()
    .then(({ askBroadcast }) => askBroadcast(room, text, send, known), send)
    .finally(() => (isLoading = false));
}
