import { computed, effect, signal, untracked } from "@preact/signals";
import { DeviceDrafts, indexDrafts } from "../state/drafts/device-drafts.ts";
import type { DraftSync } from "../state/drafts/draft-sync.ts";
import { storage, store } from "./store.ts";
import { useEffect, useMemo } from "preact/hooks";
import { Draft } from "../state/drafts/draft.ts";

const userId = computed(() => store.me.value?.id ?? "");

/** The drafts of the signed-in person in this browser. */
export const deviceDrafts = computed(() => new DeviceDrafts(storage, userId.value, Date.now));

/** Saves drafts on the service; null until its code is loaded after the first paint. */
export const draftSync = signal<DraftSync | null>(null);

/** Maintains the index of this browser's drafts in the state. */
export function watchDrafts(): void {
  effect(() => {
    const drafts = deviceDrafts.value;
    if (!userId.value) return;
    return untracked(() => store.attach(({ state }) => indexDrafts(state, drafts)));
  });
}

/**
 * Stores what the person has written or sent. Until the code that saves drafts is loaded, it is
 * stored only in this browser.
 */
export function writeDraft(key: string, text: string): void {
  const sync = draftSync.peek();
  if (sync) sync.write(key, { content: text });
  else deviceDrafts.peek().writeText(key, text);
}

/**
 * The draft of a room or thread, shared by all tabs.
 * @param key from `draftKey`
 * @returns the text, and a function that changes it
 */
export function useDraft(key: string): [text: string, change: (text: string) => void] {
  const drafts = deviceDrafts.value;
  const draft = useMemo(
    () => new Draft(drafts, key, (text) => writeDraft(key, text), Date.now),
    [drafts, key],
  );
  useEffect(() => {
    // A suspended page misses storage events.
    const onFocus = () => draft.follow();
    addEventListener("focus", onFocus);
    const stop = drafts.watch((changed, before) => {
      if (changed === key) draft.follow(before);
    });
    return () => {
      removeEventListener("focus", onFocus);
      stop();
    };
  }, [draft]);
  return [draft.text.value, (text) => draft.write(text)];
}
