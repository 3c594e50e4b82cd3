import { useEffect, useMemo, useState } from "preact/hooks";
import { keeping } from "../session/kept-lists.ts";
import { storage, store } from "../session/store.ts";
import { Draft, draftKey } from "../state/drafts/drafts.ts";

/**
 * The draft of a room, shared by all tabs.
 * @returns the text, and a function that changes it
 */
export function useDraft(roomId: string): [text: string, change: (text: string) => void] {
  const userId = store.me.value?.id ?? "";
  const draft = useMemo(() => new Draft(storage, userId, roomId, Date.now), [userId, roomId]);
  const [written, setWritten] = useState({ draft, text: draft.text });
  const setText = (next: string) => setWritten({ draft, text: next });
  useEffect(() => {
    const follow = (before?: string) => {
      if (draft.follow(before)) setText(draft.text);
    };
    const onFocus = () => follow();
    // A suspended page misses storage events.
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
    keeping.value?.drafts.written(roomId);
    setText(next);
  };
  // The text of another draft is never shown in this one, not even for a moment.
  return [written.draft === draft ? written.text : draft.text, change];
}
