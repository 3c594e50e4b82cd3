import { replaceText } from "../parts/edit-text-area.ts";
import { continueList, applyFormat, type Format } from "../state/composer/formatting.ts";

/** Formats by the code of their key, which is the same on all layouts, with Ctrl or Cmd. */
const FORMATS: Record<string, Format> = {
  b: "bold",
  i: "italic",
  e: "code",
  "shift+x": "strike",
  // K has other uses: the switcher, and with Shift a new message.
  "shift+u": "link",
  "shift+Digit7": "numbers",
  "shift+Digit8": "bullets",
  "shift+Digit9": "quote",
  "shift+alt+c": "code-block",
};

/** Formats the selection of a text area, as one undo step. */
export function formatArea(area: HTMLTextAreaElement, format: Format): void {
  const { value: text, selectionStart: start, selectionEnd: end } = area;
  replaceText(area, applyFormat(format, { text, start, end }));
}

type AreaKey = KeyboardEvent & { currentTarget: HTMLTextAreaElement };

/** Applies the format whose key was pressed. @returns false for other keys */
export function formatByKey(event: AreaKey): boolean {
  const format = formatOf(event);
  if (!format) return false;
  event.preventDefault();
  formatArea(event.currentTarget, format);
  return true;
}

function formatOf(event: KeyboardEvent): Format | undefined {
  if (!event.ctrlKey && !event.metaKey) return undefined;
  // On some layouts, the shortcut of the shortcut list uses the key of a format.
  if (event.key === "/") return undefined;
  const modifiers = `${event.shiftKey ? "shift+" : ""}${event.altKey ? "alt+" : ""}`;
  return FORMATS[modifiers + event.key.toLowerCase()] ?? FORMATS[modifiers + event.code];
}

/**
 * Begins the next item of a list instead of a line break.
 * @returns false outside of lists
 */
export function breakLine(event: AreaKey): boolean {
  const { value: text, selectionStart: start, selectionEnd: end } = event.currentTarget;
  const next = continueList({ text, start, end });
  if (!next) return false;
  event.preventDefault();
  replaceText(event.currentTarget, next);
  return true;
}
