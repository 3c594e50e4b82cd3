import { loadPart } from "../parts/lazy.tsx";
import { watchKeyboard } from "./keyboard.ts";
import { watchKeys } from "./keys.ts";
import { watchTheme } from "./theme.ts";

/** Starts what the first paint does without. */
export function watchLater(): void {
  watchTheme();
  watchKeyboard();
  watchKeys();
  // Without it nothing says how many threads are unread.
  import("./threads.ts").then(
    ({ getThreads }) => getThreads(),
    () => {},
  );
  // Without it nothing is marked and drafts stay on this device.
  loadPart("deferred", import("./start-keeping.ts")).then(
    ({ startKeeping }) => startKeeping(),
    () => {},
  );
}
