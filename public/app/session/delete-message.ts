import { Deletions } from "../state/timeline/deletions.ts";
import { store } from "./store.ts";
import { showError } from "./toasts.ts";

/** Deletes messages after a delay during which the deletion can be undone. */
export const deletions = new Deletions({
  api: store.api,
  clock: store.clock,
  change: store.change,
  onFailure: showError,
});

addEventListener("pagehide", () => deletions.flush());
