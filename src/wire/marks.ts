/**
 * Marks in a row that belong to one character. Unicode's normalization sorts the marks of a character by
 * insertion, so that thousands take seconds; no writing has more than these (UAX 15, "Stream-Safe Text
 * Format").
 */
export const MAX_MARKS = 30;

const TOO_MANY = new RegExp(
  String.raw`([\p{M}\uff9e\uff9f]{${MAX_MARKS}})[\p{M}\uff9e\uff9f]+`,
  "gu",
);

/** Leaves out the marks of a character past `MAX_MARKS`: do so before each `normalize`. */
export function limitMarks(text: string): string {
  return text.length <= MAX_MARKS ? text : text.replace(TOO_MANY, "$1");
}
