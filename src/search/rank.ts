import type { SearchTerm } from "../wire/search.ts";
import type { Range } from "../wire/search-match.ts";

/** The newest matching messages are ranked, at most this many, so that their texts are checked within the time limit. */
export const MAX_RANKED = 500;

/** The weight of a match outside the text, in a title or a file's name; a whole word in the text weighs 1. */
const OUTSIDE_TEXT = 1;
/** Characters of an average word with its space. */
const WORD_LENGTH = 6;

type Match = { content: string | null; matches: Range[] };

/**
 * How well a message matches: more matches count more, whole words more than their beginnings, and a match in a long
 * text less. PostgreSQL's `ts_rank` needs the positions of words, which the index does not have.
 */
export function rankMatch({ content, matches }: Match, terms: SearchTerm[]): number {
  // Messages that only filters select match equally.
  if (terms.length === 0) return 0;
  const lengths = terms.map(({ atoms }) => {
    return atoms.reduce((sum, { text, isSpaced }) => sum + text.length + (isSpaced ? 1 : 0), 0);
  });
  const words = matches.reduce((sum, [start, end]) => {
    const shares = lengths.map((length) => Math.min(1, length / (end - start)));
    return sum + Math.max(0, ...shares) ** 2;
  }, 0);
  const weight = matches.length === 0 ? OUTSIDE_TEXT : words;
  return Math.log2(1 + weight) / Math.log2(4 + (content?.length ?? 0) / WORD_LENGTH);
}
