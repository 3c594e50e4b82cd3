import type { Selected } from "../state/formatting.ts";

/**
 * Brings a text area to another text by changing only what differs, as if it were typed: the
 * browser's undo takes it back in one step, and an `input` event tells of it.
 */
export function writeInto(area: HTMLTextAreaElement, { text, start, end }: Selected): void {
  const { from, to, piece } = difference(area.value, text);
  area.focus();
  area.setSelectionRange(from, to);
  // Deprecated, and the one way that keeps what can be undone.
  const written = piece
    ? document.execCommand("insertText", false, piece)
    : from === to || document.execCommand("delete");
  if (!written) {
    area.setRangeText(piece, from, to);
    area.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText" }));
  }
  area.setSelectionRange(start, end);
}

/** Puts a piece of text where the caret is, or over what is selected. */
export function insertAtCaret(area: HTMLTextAreaElement, piece: string): void {
  const { value, selectionStart: from, selectionEnd: to } = area;
  const caret = from + piece.length;
  writeInto(area, {
    text: value.slice(0, from) + piece + value.slice(to),
    start: caret,
    end: caret,
  });
}

/** The one stretch in which two texts differ. */
function difference(before: string, after: string) {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from++;
  let tail = 0;
  while (tail < most - from && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  // Not between the halves of one sign.
  if (isLow(before, from) || isLow(after, from)) from--;
  if (isLow(before, before.length - tail) || isLow(after, after.length - tail)) tail--;
  return { from, to: before.length - tail, piece: after.slice(from, after.length - tail) };
}

function isLow(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}
