/**
 * Characters that a reader does not see: controls, blanks, lone surrogates, everything that Unicode
 * lets a font leave out (Default_Ignorable_Code_Point: zero-width marks, fillers, tags), and the
 * Braille blank.
 */
const VISIBLE = /[^\p{Cc}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]/u;

/** Whether a text has at least one visible character. */
export function hasVisible(text: string): boolean {
  return VISIBLE.test(text);
}
