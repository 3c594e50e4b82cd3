import type { Selected } from "../state/composer/formatting.ts";

/**
 * Replaces the text of a text area by typing only the difference, so that the browser can undo it
 * in one step, and fires an `input` event.
 */
export function replaceText(area: HTMLTextAreaElement, { text, start, end }: Selected): void {
  const { from, to, piece } = difference(area.value, text);
  area.focus();
  area.setSelectionRange(from, to);
  // execCommand is deprecated, but no alternative keeps the undo history.
  const written = piece
    ? document.execCommand("insertText", false, piece)
    : from === to || document.execCommand("delete");
  if (!written) {
    area.setRangeText(piece, from, to);
    area.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText" }));
  }
  area.setSelectionRange(start, end);
}

export function insertAtCaret(area: HTMLTextAreaElement, piece: string): void {
  const { value, selectionStart: from, selectionEnd: to } = area;
  const caret = from + piece.length;
  replaceText(area, {
    text: value.slice(0, from) + piece + value.slice(to),
    start: caret,
    end: caret,
  });
}

/** The smallest range that differs between two texts. */
function difference(before: string, after: string) {
  const shorterLength = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorterLength && before[from] === after[from]) from++;
  let tail = 0;
  while (tail < shorterLength - from && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  // Do not split a surrogate pair.
  if (isLow(before, from) || isLow(after, from)) from--;
  if (isLow(before, before.length - tail) || isLow(after, after.length - tail)) tail--;
  return { from, to: before.length - tail, piece: after.slice(from, after.length - tail) };
}

function isLow(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}
