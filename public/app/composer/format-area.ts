import { replaceText } from "../parts/edit-text-area.ts";
import { continueList, applyFormat, type Format } from "../state/composer/formatting.ts";

/** Formats what is selected in a text area, in one step of its undo history. */
export function formatArea(area: HTMLTextAreaElement, what: Format): void {
  const { value: text, selectionStart: start, selectionEnd: end } = area;
  replaceText(area, applyFormat(what, { text, start, end }));
}

/** Begins the next item of a list for a line break in it. @returns true if it did */
export function breakLine(event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }): boolean {
  const { value: text, selectionStart: start, selectionEnd: end } = event.currentTarget;
  const next = continueList({ text, start, end });
  if (!next) return false;
  event.preventDefault();
  replaceText(event.currentTarget, next);
  return true;
}
