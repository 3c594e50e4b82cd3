import { useEffect, useMemo, useState } from "preact/hooks";
import { storage, store } from "../session/store.ts";
import { Draft, draftKey } from "../state/drafts.ts";

/**
 * What the person has written and not sent in a room, the same in all tabs.
 * @returns the text, and what changes it
 */
export function useDraft(roomId: string): [text: string, change: (text: string) => void] {
  const userId = store.me.value?.id ?? "";
  const draft = useMemo(() => new Draft(storage, userId, roomId, Date.now), [userId, roomId]);
  const [text, setText] = useState(draft.text);
  useEffect(() => {
    const follow = (before?: string) => {
      if (draft.follow(before)) setText(draft.text);
    };
    const onFocus = () => follow();
    // A page that was asleep has not heard of every change.
    addEventListener("focus", onFocus);
    const stop = storage.watch((key, before) => {
      if (key === draftKey(userId, roomId)) follow(before ?? "");
    });
    return () => {
      removeEventListener("focus", onFocus);
      stop();
    };
  }, [draft]);
  const change = (next: string) => {
    draft.write(next);
    setText(next);
  };
  return [text, change];
}
