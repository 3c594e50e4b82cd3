/** Patterns for LIKE and ILIKE in which text matches itself. */

export function likePrefix(text: string): string {
  return `${escapeLike(text)}%`;
}

/** The LIKE pattern for values that contain this text literally. */
export function likeSubstring(text: string): string {
  return `%${escapeLike(text)}%`;
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}
