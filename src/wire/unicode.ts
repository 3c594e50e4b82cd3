/**
 * Invisible characters: controls, white space, lone surrogates, Default_Ignorable_Code_Point
 * (zero-width marks, fillers, tags), and the empty Braille pattern.
 */
const VISIBLE = /[^\p{Cc}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]/u;

export function hasVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/**
 * Maximum number of consecutive combining marks per character. Normalization sorts them with a
 * quadratic algorithm, so thousands would take seconds. No writing system needs more (UAX 15,
 * "Stream-Safe Text Format").
 */
export const MAX_MARKS = 30;

const TOO_MANY = new RegExp(
  String.raw`([\p{M}\uff9e\uff9f]{${MAX_MARKS}})[\p{M}\uff9e\uff9f]+`,
  "gu",
);

/** Removes combining marks beyond `MAX_MARKS`. Call it before each `normalize`. */
export function limitMarks(text: string): string {
  return text.length <= MAX_MARKS ? text : text.replace(TOO_MANY, "$1");
}
