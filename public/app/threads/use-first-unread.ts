import { useEffect, useMemo, useState } from "preact/hooks";
import type { Message } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { type RoomView, wrote } from "../state/model.ts";

/**
 * The reply above which a thread has the line of what is new: the first that was unread when it was
 * opened, or from which it was marked unread since.
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
    // Without those before it, it is not known which one is the first.
    if (at === -1 || (at === 0 && hasBefore)) return null;
    return messages.slice(at).find((message) => !wrote(me, message)) ?? null;
  }, [since, messages, hasBefore]);
}
