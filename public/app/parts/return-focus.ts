import { useRef } from "preact/hooks";

/**
 * Remembers what has the focus: an element, and around it those that can have it when that is gone, such as the row of
 * a message whose buttons are there only with the focus.
 * @returns a function that gives the focus back; false if nothing had it, or nothing of it is left
 */
export function rememberFocus(): () => boolean {
  const had: HTMLElement[] = [];
  const { activeElement, body } = document;
  for (let at = activeElement; at && at !== body; at = at.parentElement) {
    if (at instanceof HTMLElement && (at === activeElement || at.hasAttribute("tabindex")))
      had.push(at);
  }
  return () => {
    const element = had.find(({ isConnected }) => isConnected);
    element?.focus({ preventScroll: true });
    return element !== undefined;
  };
}

/** For a panel. @returns a function that gives the focus back to what had it before */
export function useReturnFocus(): () => void {
  const ref = useRef<() => boolean>(null);
  ref.current ??= rememberFocus();
  return () => {
    // No field: a phone would show its keyboard.
    if (ref.current?.()) return;
    const list = document.querySelector<HTMLElement>(".timeline");
    (list ?? document.querySelector("main"))?.focus({ preventScroll: true });
  };
}
