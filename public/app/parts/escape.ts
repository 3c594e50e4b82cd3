/** What the browser itself closes with Esc, the one on top first. */
const CLOSED_BY_BROWSER = 'dialog[open], [popover="auto"]:popover-open';

/**
 * Whether a key is Esc, and for what lies below all dialogs, menus and pickers: nothing has taken it yet, and none of
 * them is open. Who closes something by it prevents its default, so that one press closes one thing.
 * @param inside where what is open lies above
 */
export function isEscape(event: KeyboardEvent, inside: ParentNode = document): boolean {
  if (event.key !== "Escape" || event.shiftKey || event.defaultPrevented) return false;
  return inside.querySelector(CLOSED_BY_BROWSER) === null;
}
