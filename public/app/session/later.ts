import { loadPart } from "../parts/lazy.tsx";
import { watchKeyboard } from "./keyboard.ts";
import { watchKeys } from "./keys.ts";
import { watchTheme } from "./theme.ts";

/** Starts what the first paint does not need. */
export function watchLater(): void {
  watchTheme();
  watchKeyboard();
  watchKeys();
  // If it does not load, the number of unread threads is missing.
  import("./threads.ts").then(
    ({ getThreads }) => getThreads(),
    () => {},
  );
  // If it does not load, messages have no marks and drafts stay on this device.
  loadPart("deferred", import("./start-keeping.ts")).then(
    ({ startKeeping }) => startKeeping(),
    () => {},
  );
}
