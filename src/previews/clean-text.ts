import { hasVisible } from "../wire/visible.ts";

/**
 * Control characters, marks that change the direction of text, and invisible characters: a title must
 * not change the text around it.
 */
const UNWANTED =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;

const LINE_BREAKS = /[\t-\r\u0085\u2028\u2029]/g;

/**
 * Cleans a text from a page for one line: whitespace is collapsed and trimmed, and a longer text than
 * `maxLength` characters ends with an ellipsis.
 * @returns null if nothing is left
 */
export function cleanText(text: string | null | undefined, maxLength: number): string | null {
  if (!text) return null;
  const seen = text.toWellFormed().replace(LINE_BREAKS, " ").replace(UNWANTED, "");
  const line = seen.replace(/\s+/g, " ").trim();
  const characters = [...line];
  if (!hasVisible(line)) return null;
  if (characters.length <= maxLength) return line;
  const start = characters.slice(0, maxLength - 1).join("");
  return `${start.trimEnd()}…`;
}
