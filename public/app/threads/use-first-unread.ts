import { useEffect, useMemo, useState } from "preact/hooks";
import type { Message } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { type RoomView, isAuthor } from "../state/model/model.ts";

/**
 * The reply below the line "New": the first that was unread when the thread was opened, or from
 * which it was marked unread since.
 */
export function useFirstUnread({ thread, messages, hasBefore }: RoomView): Message | null {
  const readSeq = thread?.isFollowing ? thread.readSeq : null;
  const [since, setSince] = useState(readSeq);
  useEffect(() => {
    if (readSeq !== null && (since === null || readSeq < since)) setSince(readSeq);
  }, [readSeq]);
  return useMemo(() => {
    if (since === null) return null;
    const me = store.me.value;
    const at = messages.findIndex(({ seq }) => seq > since);
    // Unless the replies before it are loaded, the first unread one is not known.
    if (at === -1 || (at === 0 && hasBefore)) return null;
    return messages.slice(at).find((message) => !isAuthor(me, message)) ?? null;
  }, [since, messages, hasBefore]);
}
