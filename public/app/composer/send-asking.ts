import type { Broadcast, MyRoom } from "../../../src/wire/models.ts";
import { loadRest } from "../parts/load-rest.tsx";

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
  confirmedBroadcast: Broadcast | null = null,
): void {
  // A second Enter while it loads would send the text twice.
  if (isLoading) return;
  if (!SIGN.test(text)) {
    send();
    return;
  }
  isLoading = true;
  void loadRest()
    .then(({ askBroadcast }) => askBroadcast(room, text, send, confirmedBroadcast), send)
    .finally(() => (isLoading = false));
}
