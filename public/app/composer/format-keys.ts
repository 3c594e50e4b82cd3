import { replaceText } from "../parts/edit-text-area.ts";
import { continueList, format, type Format } from "../state/formatting.ts";

/** Formats by the code of their key, which is the same on all layouts, with Ctrl or Cmd. */
const FORMATS: Record<string, Format> = {
  b: "bold",
  i: "italic",
  e: "code",
  "shift+x": "strike",
  // K goes elsewhere: to the switcher, and with Shift to a new message.
  "shift+u": "link",
  "shift+Digit7": "numbers",
  "shift+Digit8": "bullets",
  "shift+Digit9": "quote",
  "shift+alt+c": "code-block",
};

/** @returns the format of a key that was pressed, if it is one */
function formatOf(event: KeyboardEvent): Format | undefined {
  if (!event.ctrlKey && !event.metaKey) return undefined;
  // On some layouts the list of shortcuts has the key of a format.
  if (event.key === "/") return undefined;
  const held = `${event.shiftKey ? "shift+" : ""}${event.altKey ? "alt+" : ""}`;
  return FORMATS[held + event.key.toLowerCase()] ?? FORMATS[held + event.code];
}

/** Formats what is selected in a text area, in one step of its undo history. */
export function formatArea(area: HTMLTextAreaElement, what: Format): void {
  const { value: text, selectionStart: start, selectionEnd: end } = area;
  replaceText(area, format(what, { text, start, end }));
}

type AreaEvent = KeyboardEvent & { currentTarget: HTMLTextAreaElement };

/** @returns true if the key is a shortcut that formats */
export function formatByKey(event: AreaEvent): boolean {
  const what = formatOf(event);
  if (!what) return false;
  event.preventDefault();
  formatArea(event.currentTarget, what);
  return true;
}

/** Begins the next item of a list for a line break in it. @returns true if it did */
export function breakLine(event: AreaEvent): boolean {
  const { value: text, selectionStart: start, selectionEnd: end } = event.currentTarget;
  const next = continueList({ text, start, end });
  if (!next) return false;
  event.preventDefault();
  replaceText(event.currentTarget, next);
  return true;
}
