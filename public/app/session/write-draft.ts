import { computed, effect, signal, untracked } from "@preact/signals";
import { DeviceDrafts, indexDrafts } from "../state/drafts/device-drafts.ts";
import type { DraftSync } from "../state/drafts/draft-sync.ts";
import { storage, store } from "./store.ts";
import { useEffect, useMemo } from "preact/hooks";
import { Draft } from "../state/drafts/draft.ts";
import type { Quote } from "../../../src/wire/models.ts";
import type { DraftBody, DraftFacts } from "../state/model/draft-copy.ts";

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
    const stop = untracked(() =>
      indexDrafts(store.state, drafts, (marks) => store.showDrafts(marks)),
    );
    return () => {
      stop();
      drafts.close();
    };
  });
}

/**
 * Stores what the person has written or sent. Until the code that saves drafts is loaded, it is
 * stored only in this browser.
 */
export function writeDraft(
  key: string,
  change: Partial<DraftBody>,
  facts: Partial<DraftFacts> = {},
): void {
  const sync = draftSync.peek();
  if (sync) sync.write(key, change, facts);
  else deviceDrafts.peek().change(key, change, facts);
}

/** Sets the message that the next message in a room or thread quotes; null removes it. */
export function setQuote(key: string, quote: Quote | null): void {
  writeDraft(key, { quote_id: quote?.id ?? null }, { quote });
}

/**
 * The draft of a room or thread, shared by all tabs.
 * @param key from `draftKey`
 */
export function useDraft(key: string): Draft {
  const drafts = deviceDrafts.value;
  const draft = useMemo(
    () => new Draft(drafts, key, (content) => writeDraft(key, { content }), Date.now),
    [drafts, key],
  );
  useEffect(() => {
    // A suspended page misses the messages of other tabs.
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
  return draft;
}
