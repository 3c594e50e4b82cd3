import { toPlainText } from "./plain.ts";

/** How much Markdown is read for each character that is shown, and at least: links take more than their words. */
const SOURCE_RATIO = 4;
const MIN_SOURCE_LENGTH = 1_000;

/** What of a text decides about its excerpt: a character more than is read, which says that it goes on. */
export function cutForExcerpt(source: string, limit: number): string {
  return source.trimStart().slice(0, sourceLengthOf(limit) + 1);
}

function sourceLengthOf(limit: number): number {
  return Math.max(SOURCE_RATIO * limit, MIN_SOURCE_LENGTH);
}

/**
 * The beginning of a text without its marks, on one line: what a reply shows of its root, and a quote
 * of what it quotes. The service and the client make the same.
 * @param limit in code points. What is longer ends at the last blank before it, with "…"
 * @returns null for no text
 */
export function makeExcerpt(source: string | null, limit: number): string | null {
  const whole = (source ?? "").trimStart();
  const read = whole.slice(0, sourceLengthOf(limit)).toWellFormed();
  const isCut = read.length < whole.length;
  const text = toPlainText(read);
  if (text === "") return isCut ? "…" : null;
  const characters = [...text];
  if (!isCut && characters.length <= limit) return text;
  const cut = characters.slice(0, limit - 1);
  // At the end of a word already, or in the middle of one.
  const end = characters[limit - 1] === " " ? cut.length : cut.lastIndexOf(" ");
  return `${(end > 0 ? cut.slice(0, end) : cut).join("").trimEnd()}…`;
}
