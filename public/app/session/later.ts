import { loadPart } from "../parts/lazy.tsx";
import { loadQuietly } from "../parts/missing-parts.ts";
import { watchTheme } from "./theme.ts";

/** Starts what the first paint does not need. */
export function watchLater(): void {
  watchTheme();
  // Until it is loaded, the number of unread threads is missing.
  void loadQuietly(
    () => import("./threads.ts"),
    ({ getThreads }) => getThreads(),
  );
  // Until it is loaded, messages have no marks and drafts stay on this device.
  void loadQuietly(
    () => loadPart("deferred", import("./start-keeping.ts")),
    ({ startKeeping }) => startKeeping(),
  );
}
