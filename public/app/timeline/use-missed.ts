import { useEffect, useRef, useState } from "preact/hooks";
import { store } from "../app.ts";
import { type RoomView, wrote } from "../state/model.ts";

/** How many messages of others came while the newest was out of sight. */
export function useMissed(view: RoomView, atBottom: boolean): number {
  const [missed, setMissed] = useState(0);
  const seen = useRef({ last: view.messages.at(-1)?.seq ?? 0, hasAfter: view.hasAfter });
  useEffect(() => {
    const { last, hasAfter } = seen.current;
    seen.current = { last: view.messages.at(-1)?.seq ?? 0, hasAfter: view.hasAfter };
    if (atBottom) return setMissed(0);
    // What was loaded from a gap is not news.
    if (hasAfter || view.hasAfter) return;
    const me = store.me.value;
    let count = 0;
    for (const message of view.messages.toReversed()) {
      if (message.seq <= last) break;
      if (!wrote(me, message)) count++;
    }
    if (count > 0) setMissed((before) => before + count);
  }, [view.messages, view.hasAfter, atBottom]);
  return missed;
}
