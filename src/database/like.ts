/** Patterns for LIKE and ILIKE in which text matches itself. */

export function likePrefix(text: string): string {
  return `${escapeLike(text)}%`;
}

/** The pattern of LIKE for what contains a text, whatever signs it has. */
export function likeSubstring(text: string): string {
  return `%${escapeLike(text)}%`;
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}
