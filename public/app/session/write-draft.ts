import { computed } from "@preact/signals";
import { DeviceDrafts } from "../state/drafts/device-drafts.ts";
import { keeping } from "./kept-lists.ts";
import { storage, store } from "./store.ts";

const userId = computed(() => store.me.value?.id ?? "");

/** The drafts that the person who is signed in has in this browser. */
export const deviceDrafts = computed(() => new DeviceDrafts(storage, userId.value, Date.now));

/** The person has written or sent something. Until the code that saves drafts is loaded, it is stored here alone. */
export function writeDraft(key: string, text: string): void {
  const sync = keeping.peek()?.drafts;
  if (sync) sync.written(key, text);
  else deviceDrafts.peek().writeText(key, text);
}
