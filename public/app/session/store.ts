import { signal } from "@preact/signals";
import { ReadMarks } from "../connection/read-marks.ts";
import { indexedDbSnapshots } from "../connection/snapshots.ts";
import { createBrowserStorage } from "../connection/storage.ts";
import { Store } from "../state/store/client-store.ts";
import { forgetTab } from "./forget-tab.ts";
import { askForProof } from "./proof.ts";

/** The storage that all tabs of this browser share. */
export const storage = createBrowserStorage();

/** The store of this page, connected to the browser. */
export const store = new Store({
  fetch: (path, init) => fetch(path, init),
  openSocket: () => new WebSocket(`${location.origin.replace(/^http/, "ws")}/ws/chat`),
  storage,
  locks: (navigator as Partial<Navigator>).locks ?? null,
  snapshots: indexedDbSnapshots,
  forget: forgetTab,
  prove: askForProof,
});

/** Sends read marks to the service: the last message that was read; null marks the whole room. */
export const readMarks = new ReadMarks<string | null>(store.clock, (id, message_id) =>
  store.call("POST /api/rooms/:id/read", {
    params: { id },
    body: message_id === null ? {} : { message_id },
  }),
);

/**
 * Whether someone has signed out on this page: the sign-in page then does not redirect to a
 * provider.
 */
export const hasSignedOut = signal(false);
