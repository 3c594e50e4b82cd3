/** Patterns for LIKE and ILIKE that match text literally. */

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
