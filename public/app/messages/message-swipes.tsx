import { useSignal } from "@preact/signals";
import { Bookmark, BookmarkX } from "lucide";
import { useEffect } from "preact/hooks";
import { Icon } from "../parts/icon.tsx";
import { watchSwipes } from "../parts/swipe.ts";
import { isDrawerOpen } from "../session/navigation.ts";
import { isSaved, toggleSaved } from "../session/save-message.ts";
import { store } from "../session/store.ts";
import { t } from "../words/translate.ts";

/** Browsers use swipes from the edges to go back. */
const EDGE_PX = 32;
/** How far a row must be pulled, in pixels. */
const WAY_PX = 96;
const BACK_MS = 120;

type Pulled = { id: string; top: number; height: number; way: number };

/**
 * On a touch screen, pulling a message to the left saves it for later, or removes it from the saved
 * ones, with undo. It acts only on a full pull, and shows meanwhile what will happen.
 * @param shell the element around all messages
 */
export function MessageSwipes({ shell }: { shell: { current: HTMLElement | null } }) {
  const pulled = useSignal<Pulled | null>(null);
  useEffect(() => {
    if (!shell.current) return;
    return watchSwipes(
      shell.current,
      ({ clientX, target }) => {
        const element = findRow(target);
        const id = element?.dataset.messageId;
        const isEdge = clientX < EDGE_PX || clientX > innerWidth - EDGE_PX;
        if (!element || !id || isEdge || isDrawerOpen.peek() || !isSavable(id)) return null;
        const onMove = (way: number) => {
          const { top, height } = element.getBoundingClientRect();
          pulled.value = { id, top, height, way };
        };
        return { element, from: 0, to: -WAY_PX, isSteady: true, onMove };
      },
      (element, isDone) => {
        const { id, way } = pulled.value ?? { id: "", way: 0 };
        pulled.value = null;
        if (isDone && id) toggleSaved(id);
        if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
        const from = { transform: `translateX(${-way * WAY_PX}px)` };
        element.animate([from, { transform: "none" }], { duration: BACK_MS, easing: "ease-out" });
      },
    );
  }, []);
  const now = pulled.value;
  if (!now) return null;
  const { id, top, height, way } = now;
  return (
    <div
      class={`swipe-hint row muted small ${way === 1 ? "there" : ""}`}
      style={{ top: `${top}px`, height: `${height}px`, opacity: `${way}` }}
      aria-hidden="true"
    >
      <Icon of={isSaved(id) ? BookmarkX : Bookmark} />
      {t(isSaved(id) ? "later.remove" : "later.save")}
    </div>
  );
}

/** The row of a message, unless the touched element scrolls sideways or accepts text. */
function findRow(target: EventTarget | null): HTMLElement | null {
  const row =
    target instanceof Element ? target.closest<HTMLElement>(".message[data-message-id]") : null;
  if (!row || row.querySelector("form")) return null;
  for (let at = target as Element | null; at && at !== row; at = at.parentElement) {
    if (at.scrollWidth > at.clientWidth && getComputedStyle(at).overflowX !== "visible")
      return null;
  }
  return row;
}

/** A deleted root has no content to save. */
function isSavable(id: string): boolean {
  return Object.values(store.state.peek().views).some(({ messages, thread }) =>
    [...messages, thread?.root].some((message) => message?.id === id && !message.deleted_at),
  );
}
