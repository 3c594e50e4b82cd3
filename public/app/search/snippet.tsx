import type { Range } from "../../../src/wire/search-match.ts";

/** How many characters are shown before the first match, and in all. */
const BEFORE = 48;
const LENGTH = 240;
/**
 * Marks of Markdown, which the snippet leaves out: the edges of a table's rows, the row below its head, the
 * sign of an image and that before a bar too.
 */
const MARKUP =
  /\*\*|~~|`+|^#{1,6} |\\(?=\|)|!(?=\[[^\]\n]*\]\()|(?<=\n)(?:(?:> ?)+|[|:-][ |:-]*(?=\n)|\| ?(?=.*\|))| ?\|(?=\n)/gm;

/** The part of a text around its first match, with the matches marked, on a few lines. */
export function Snippet({ text, matches }: { text: string; matches: Range[] }) {
  const first = matches[0]?.[0] ?? 0;
  const from = first <= BEFORE ? 0 : startOfWord(text, first - BEFORE);
  const to = endOfCharacter(text, from + LENGTH);
  const visible = matches.filter(([start, end]) => start >= from && end <= to);
  let at = from;
  const pieces = visible.flatMap(([start, end]) => {
    const before = text.slice(at, start);
    at = end;
    return [clean(before), <mark key={start}>{text.slice(start, end)}</mark>];
  });
  return (
    <>
      {from > 0 && "… "}
      {pieces}
      {clean(text.slice(at, to))}
      {to < text.length && " …"}
    </>
  );
}

const clean = (text: string) => text.replace(MARKUP, "");

/** The beginning of a word near a position; the position itself in a text without blanks. */
function startOfWord(text: string, place: number): number {
  const blank = text.indexOf(" ", place);
  return blank === -1 || blank > place + BEFORE / 2 ? endOfCharacter(text, place) : blank + 1;
}

/** Never between the two halves of a character. */
function endOfCharacter(text: string, place: number): number {
  if (place >= text.length) return text.length;
  return /[\udc00-\udfff]/.test(text[place] ?? "") ? place + 1 : place;
}
