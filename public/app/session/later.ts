import { loadPart } from "../parts/lazy.tsx";
import { watchTheme } from "./theme.ts";

/** Starts what the first paint does not need. */
export function watchLater(): void {
  // If it does not load, the theme is that of the first paint.
  watchTheme();
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
