import { useEffect, useMemo } from "preact/hooks";
import { deviceDrafts, writeDraft } from "../session/write-draft.ts";
import { Draft } from "../state/drafts/draft.ts";

/**
 * The draft of a place, shared by all tabs.
 * @param key as `placeKey` names it
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
