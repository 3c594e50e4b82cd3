/** Sends files: this code is loaded with the first of them. */
import { effect, type Signal } from "@preact/signals";
import { sendFile } from "../connection/upload.ts";
import { type Upload, Uploads } from "../state/uploads.ts";
import { store } from "./store.ts";

export function createUploads(list: Signal<Upload[]>): Uploads {
  const uploads = new Uploads(store.api, sendFile, list);
  // The next person who signs in must not see or send them.
  effect(() => {
    const phase = store.phase.value;
    if (phase === "signed-out" || phase === "replaced") uploads.clear();
  });
  return uploads;
}
