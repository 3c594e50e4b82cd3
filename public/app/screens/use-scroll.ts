import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { RoomView } from "../state/model.ts";

/** Pixels from an end that count as being there. */
const NEAR_BOTTOM = 60;
const NEAR_TOP = 600;

type Ends = { onTop(): void; onBottom(): void };

/** The row at the upper edge, and where it stands. */
type Anchor = { id: string; top: number };

function readAnchor(list: HTMLElement): Anchor | null {
  const { left, top, width, height } = list.getBoundingClientRect();
  // A divider or the room's beginning may stand at the edge itself.
  for (let y = top + 1; y < top + height; y += 40) {
    const at = document.elementFromPoint(left + width / 2, y);
    const row = at?.closest<HTMLElement>("[data-message-id]");
    const id = row?.dataset.messageId;
    if (row && id && list.contains(row)) return { id, top: row.getBoundingClientRect().top };
  }
  return null;
}

/** Brings the row back to where it stood: whatever came or grew above it moved it. */
function restore(list: HTMLElement, anchor: Anchor | null): void {
  if (!anchor) return;
  const row = list.querySelector(`[data-message-id="${CSS.escape(anchor.id)}"]`);
  if (row) list.scrollTop += row.getBoundingClientRect().top - anchor.top;
}

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
  const anchor = useRef<Anchor | null>(null);
  const before = useRef({ last: "", pending: 0, hasAfter: false });
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
    } else restore(list, anchor.current);
    // What was loaded from a gap is not news.
    if (last !== was.last && was.last !== "" && !was.hasAfter && !following.current) {
      const from = view.messages.findIndex((message) => message.id === was.last);
      if (from !== -1) setMissed((count) => count + view.messages.length - 1 - from);
    }
    before.current = { last, pending, hasAfter: view.hasAfter };
  });

  useEffect(() => {
    const list = ref.current;
    if (!list) return;
    const onScroll = () => {
      const below = list.scrollHeight - list.scrollTop - list.clientHeight;
      following.current = below < NEAR_BOTTOM && !view.hasAfter;
      anchor.current = readAnchor(list);
      setAtBottom(following.current);
      if (following.current) setMissed(0);
      if (list.scrollTop < NEAR_TOP) ends.onTop();
      if (below < NEAR_TOP) ends.onBottom();
    };
    // A phone's keyboard, a longer composer, a preview that has come.
    const resized = new ResizeObserver(() => {
      if (following.current) list.scrollTop = list.scrollHeight;
      else restore(list, anchor.current);
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
