/**
 * What a reader would not see: controls, blanks, halves of pairs, all that Unicode lets a font leave
 * out (Default_Ignorable_Code_Point: zero-width marks, fillers, tags), and the Braille blank.
 */
const VISIBLE = /[^\p{Cc}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]/u;

/** True for text of which a reader sees at least one character. */
export function hasVisible(text: string): boolean {
  return VISIBLE.test(text);
}
