import { toPlainText } from "./plain.ts";

/**
 * The beginning of a text without its marks, on one line: what a reply shows of its root, and a quote
 * of what it quotes. The service and the client make the same.
 * @param limit in code points. What is longer ends at the last blank before it, with "…"
 * @returns null for no text
 */
export function makeExcerpt(source: string | null, limit: number): string | null {
  const text = source === null ? "" : toPlainText(source);
  if (text === "") return null;
  if (text.length <= limit) return text;
  const characters = [...text];
  if (characters.length <= limit) return text;
  const cut = characters.slice(0, limit - 1);
  // At the end of a word already, or in the middle of one.
  const end = characters[limit - 1] === " " ? cut.length : cut.lastIndexOf(" ");
  return `${(end > 0 ? cut.slice(0, end) : cut).join("").trimEnd()}…`;
}
