import type { Handling } from "../src/jobs-queue/kinds.ts";
import type { PreviewDeps } from "../src/previews/preview.ts";
import { prunePreviews } from "../src/previews/prune.ts";

/** Deletes previews that have expired and that no message names, with their pictures. */
export function pruneLinkPreviews({
  database,
  store,
}: Pick<PreviewDeps, "database" | "store">): Handling<"prune_previews"> {
  return {
    // It may go on where it was cut off.
    timeoutSeconds: 3_600,
    run: (_, { signal }) => prunePreviews(database, store, signal),
  };
}
