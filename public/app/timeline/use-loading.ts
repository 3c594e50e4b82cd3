import { useRef, useState } from "preact/hooks";
import type { RoomView } from "../state/model/model.ts";
import type { RoomHistory } from "../state/timeline/room-history.ts";

/**
 * Pages that are loaded before the first message without anybody scrolling there. Thousands of replies may
 * be one line, and would fill no screen.
 */
const MAX_UNASKED = 10;

/** Loads messages before those that are there, and waits to be asked after some pages. */
export function useLoading(roomId: string, { messages }: RoomView, history: RoomHistory) {
  /** How many pages were loaded unasked, the last of them before this message. */
  const unasked = useRef({ count: 0, first: "" });
  const [waits, setWaits] = useState(false);

  /** @param isAsked by scrolling, or by the button for it */
  const loadBefore = (isAsked: boolean) => {
    const { count, first } = isAsked ? { count: 0, first: "" } : unasked.current;
    const id = messages[0]?.id ?? "";
    const isPast = count >= MAX_UNASKED && first !== id;
    setWaits(isPast);
    if (isPast) return;
    unasked.current = { count: first === id ? count : count + 1, first: id };
    void history.loadMore(roomId, "before");
  };
  return { loadBefore, ask: waits ? { onMore: () => loadBefore(true) } : {} };
}
