import type { Format } from "../state/composer/formatting.ts";

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

/** @returns the format of a key that was pressed, if it is one */
export function formatOf(event: KeyboardEvent): Format | undefined {
  if (!event.ctrlKey && !event.metaKey) return undefined;
  // On some layouts the list of shortcuts has the key of a format.
  if (event.key === "/") return undefined;
  const modifiers = `${event.shiftKey ? "shift+" : ""}${event.altKey ? "alt+" : ""}`;
  return FORMATS[modifiers + event.key.toLowerCase()] ?? FORMATS[modifiers + event.code];
}
