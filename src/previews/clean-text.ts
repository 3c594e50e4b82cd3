import { hasVisible } from "../wire/visible.ts";

/**
 * Controls, marks that turn the direction of what follows, and what is not seen: a title must not
 * change how the text around it reads.
 */
const UNWANTED =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;

const LINE_BREAKS = /[\t-\r\u0085\u2028\u2029]/g;

/**
 * One line of text from a page, ready to be shown: blanks are one, ends are trimmed, and what is
 * longer than `most` characters is cut, with an ellipsis.
 * @returns null if nothing is left
 */
export function cleanText(text: string | null | undefined, most: number): string | null {
  if (!text) return null;
  const seen = text.toWellFormed().replace(LINE_BREAKS, " ").replace(UNWANTED, "");
  const line = seen.replace(/\s+/g, " ").trim();
  const characters = [...line];
  if (!hasVisible(line)) return null;
  if (characters.length <= most) return line;
  const start = characters.slice(0, most - 1).join("");
  return `${start.trimEnd()}…`;
}
