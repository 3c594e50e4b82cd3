import { useRef } from "preact/hooks";

/**
 * Remembers the focused element and its focusable ancestors, for when the element is removed, such
 * as a message's row whose buttons exist only while it has the focus.
 * @returns a function that returns the focus; it returns false if there is nothing to focus
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

/**
 * Moves the focus from an element that is about to be removed to the messages around it, or to the
 * heading above it.
 */
export function focusAbove(element: Element): void {
  const region = element.closest<HTMLElement>(".timeline[tabindex], .search-panel, dialog, main");
  const headings = [...(region?.querySelectorAll<HTMLElement>("h1, h2") ?? [])].filter(
    (heading) =>
      !heading.closest(".timeline, .empty") &&
      heading.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  focusOn(headings.at(-1) ?? region);
}

export function focusOn(element: HTMLElement | null | undefined): void {
  if (element?.matches("h1, h2")) element.tabIndex = -1;
  element?.focus({ preventScroll: true });
}

/**
 * For a panel.
 * @returns a function that returns the focus to where it was before the panel opened
 */
export function useReturnFocus(): () => void {
  const ref = useRef<() => boolean>(null);
  ref.current ??= rememberFocus();
  return () => {
    // Not a text field, because a phone would show its keyboard.
    if (ref.current?.()) return;
    const list = document.querySelector<HTMLElement>(".timeline");
    (list ?? document.querySelector("main"))?.focus({ preventScroll: true });
  };
}
