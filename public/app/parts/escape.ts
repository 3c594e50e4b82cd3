/** Elements that the browser itself closes with Esc, starting with the topmost. */
const CLOSED_BY_BROWSER = 'dialog[open], [popover="auto"]:popover-open';

/**
 * Whether a key is Esc, and is meant for content below all dialogs, menus and pickers: nothing has
 * handled it yet, and none of them is open. A caller that closes something prevents the default, so
 * that one press closes one thing.
 * @param inside where to look for open dialogs, menus and pickers
 */
export function isEscape(event: KeyboardEvent, inside: ParentNode = document): boolean {
  if (event.key !== "Escape" || event.shiftKey || event.defaultPrevented) return false;
  return inside.querySelector(CLOSED_BY_BROWSER) === null;
}
