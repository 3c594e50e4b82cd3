import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { RoomView } from "../state/model.ts";

/** Pixels from an end that count as being there. */
const NEAR_BOTTOM = 60;
const NEAR_TOP = 600;

type Ends = { onTop(): void; onBottom(): void };

/**
 * Keeps the place: at the bottom it follows, elsewhere what is added above moves nothing.
 * @returns whether the bottom is seen, how many messages came since it was, and a way there
 */
export function useScroll(
  ref: { current: HTMLElement | null },
  view: RoomView,
  pending: number,
  ends: Ends,
) {
  const [atBottom, setAtBottom] = useState(true);
  const [missed, setMissed] = useState(0);
  const following = useRef(true);
  const before = useRef({ height: 0, first: "", last: "", pending: 0, hasAfter: false });
  const first = view.messages[0]?.id ?? "";
  const last = view.messages.at(-1)?.id ?? "";

  useLayoutEffect(() => {
    const list = ref.current;
    if (!list) return;
    const was = before.current;
    const sent = pending > was.pending;
    if (sent || (following.current && !view.hasAfter)) {
      list.scrollTop = list.scrollHeight;
      following.current = true;
    } else if (first !== was.first && was.first !== "") {
      list.scrollTop += list.scrollHeight - was.height;
    }
    // What was loaded from a gap is not news.
    if (last !== was.last && was.last !== "" && !was.hasAfter && !following.current) {
      const from = view.messages.findIndex((message) => message.id === was.last);
      if (from !== -1) setMissed((count) => count + view.messages.length - 1 - from);
    }
    before.current = { height: list.scrollHeight, first, last, pending, hasAfter: view.hasAfter };
  });

  useEffect(() => {
    const list = ref.current;
    if (!list) return;
    const onScroll = () => {
      const below = list.scrollHeight - list.scrollTop - list.clientHeight;
      following.current = below < NEAR_BOTTOM && !view.hasAfter;
      setAtBottom(following.current);
      if (following.current) setMissed(0);
      if (list.scrollTop < NEAR_TOP) ends.onTop();
      if (below < NEAR_TOP) ends.onBottom();
    };
    // A phone's keyboard, a longer composer, a picture that has loaded.
    const resized = new ResizeObserver(() => {
      if (following.current) list.scrollTop = list.scrollHeight;
      onScroll();
    });
    list.addEventListener("scroll", onScroll, { passive: true });
    resized.observe(list);
    if (list.firstElementChild) resized.observe(list.firstElementChild);
    return () => {
      list.removeEventListener("scroll", onScroll);
      resized.disconnect();
    };
  }, [view.loaded, view.hasBefore, view.hasAfter, first]);

  return {
    atBottom,
    missed,
    toBottom: () => {
      if (ref.current) ref.current.scrollTop = ref.current.scrollHeight;
    },
  };
}
