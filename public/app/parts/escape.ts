import { useEffect, useRef } from "preact/hooks";

/**
 * Elements that close with Esc, starting with the topmost: the browser closes what is a popover, and
 * a dialog if its own handler did not (`dialog.tsx`).
 */
const CLOSED_FIRST = 'dialog[open], [popover="auto"]:popover-open';

/**
 * Whether a key is Esc, and is meant for content below all dialogs, menus and pickers: nothing has
 * handled it yet, and none of them is open. A caller that closes something prevents the default, so
 * that one press closes one thing.
 * @param inside where to look for open dialogs, menus and pickers
 */
export function isEscape(event: KeyboardEvent, inside: ParentNode = document): boolean {
  if (event.key !== "Escape" || event.shiftKey || event.defaultPrevented) return false;
  return inside.querySelector(CLOSED_FIRST) === null;
}

/**
 * Handles Esc, wherever the focus is.
 * @param isMeant whether a key with this target is meant for the caller
 * @param on the window for what only handles a key that no element around the target has handled
 */
export function useEscape(
  isMeant: (target: EventTarget | null) => boolean | undefined,
  onEscape: () => void,
  on: Document | Window = document,
): void {
  const latest = useRef({ isMeant, onEscape });
  latest.current = { isMeant, onEscape };
  useEffect(() => {
    const onKey = (event: Event) => {
      if (!latest.current.isMeant(event.target) || !isEscape(event as KeyboardEvent)) return;
      event.preventDefault();
      latest.current.onEscape();
    };
    on.addEventListener("keydown", onKey);
    return () => on.removeEventListener("keydown", onKey);
  }, []);
}
